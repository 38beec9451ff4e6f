// The live connection to the server. It reconnects automatically, requests missed events, and resends unanswered
// commands under the same key, so that no command is lost or done twice.
import { post, RefusalError } from "./api.js";

/**
 * @typedef {import("../wire.js").ServerSays} ServerSays
 * @typedef {"connecting" | "open" | "lost" | "ended"} ConnectionState
 * @typedef {{message: object, resolve: (answer: any) => void, reject: (error: Error) => void}} Pending
 */

const PONG_MS = 4000;
const PING_MS = 15_000;
const RETRY_MS = [200, 500, 1000, 2000, 4000];
/** The wait before a command is resent whose outcome the server does not know. */
const RESEND_MS = 1000;
/** The server's codes after which the page does not reconnect. */
const FINAL = new Set(["signed-out"]);

export class Connection {
  /**
   * @param {(message: ServerSays) => void} onMessage
   * @param {(state: ConnectionState, reason?: string) => void} onState
   */
  constructor(onMessage, onState) {
    this.onMessage = onMessage;
    this.onState = onState;
    /** @type {WebSocket | null} */
    this.socket = null;
    /** @type {Map<string, Pending>} */
    this.pending = new Map();
    /** The number of the last event of each watched table. @type {Map<string, number | undefined>} */
    this.tables = new Map();
    this.tries = 0;
    /** The number of attempts to connect. Only the latest attempt may open a socket. */
    this.attempts = 0;
    this.isEnded = false;
    /** @type {number | undefined} */
    this.retryTimer = undefined;
    /** @type {number | undefined} */
    this.pongTimer = undefined;
    this.count = 0;
    this.keyPrefix = crypto.randomUUID();
    addEventListener("online", () => this.wake());
    addEventListener("offline", () => this.drop());
    document.addEventListener("visibilitychange", () => document.hidden || this.wake());
    setInterval(() => this.ping(), PING_MS);
  }

  /** @param {string} table */
  watch(table) {
    this.tables.set(table, undefined);
    if (this.isOpen) this.send({ type: "watch", table });
    else if (!this.socket) this.connect();
  }

  get isOpen() {
    return this.socket?.readyState === WebSocket.OPEN;
  }

  /**
   * Send a command. A resent command has the same key.
   * @param {string} stream
   * @param {import("../wire.js").PlayerCommand} command
   * @returns {Promise<import("../wire.js").Accepted>}
   */
  do(stream, command) {
    const key = `${this.keyPrefix} ${++this.count}`;
    const message = { type: "do", key, stream, command };
    return new Promise((resolve, reject) => {
      this.pending.set(key, { message, resolve, reject });
      if (this.isOpen) this.send(message);
    });
  }

  /** @param {object} message */
  send(message) {
    this.socket?.send(JSON.stringify(message));
  }

  async connect() {
    clearTimeout(this.retryTimer);
    if (this.isEnded) return;
    this.onState("connecting");
    const attempt = ++this.attempts;
    try {
      const { ticket } = await post("/ticket");
      if (attempt !== this.attempts) return;
      const scheme = location.protocol === "https:" ? "wss" : "ws";
      const socket = new WebSocket(`${scheme}://${location.host}/api/v1/live?ticket=${encodeURIComponent(ticket)}`);
      this.socket = socket;
      socket.onopen = () => this.resume();
      socket.onmessage = (event) => this.receive(JSON.parse(event.data));
      socket.onclose = () => socket === this.socket && this.retry();
    } catch (error) {
      if (attempt !== this.attempts) return;
      if (error instanceof RefusalError && error.status === 401) this.end("signed-out");
      else this.retry();
    }
  }

  /** Watch the tables again, and send the commands without an answer. */
  resume() {
    this.tries = 0;
    for (const [table, after] of this.tables)
      this.send(after === undefined ? { type: "watch", table } : { type: "watch", table, after });
    for (const { message } of this.pending.values()) this.send(message);
    this.onState("open");
  }

  /** @param {ServerSays} message */
  receive(message) {
    clearTimeout(this.pongTimer);
    this.pongTimer = undefined;
    switch (message.type) {
      case "table":
      case "told":
        if (!this.tables.has(message.table)) return;
        this.tables.set(message.table, message.seq);
        break;
      case "done":
        this.take(message.key)?.resolve(message.answer);
        break;
      case "refused":
        if (message.error.code === "outcome-unknown" && message.key) this.resendLater(message.key);
        else if (message.key !== null) this.take(message.key)?.reject(new RefusalError(422, message.error));
        break;
      case "bye":
        if (FINAL.has(message.code)) this.end(message.code);
        break;
    }
    this.onMessage(message);
  }

  /** Send a command again under its key; the server then answers with the outcome. @param {string} key */
  resendLater(key) {
    setTimeout(() => {
      const command = this.pending.get(key);
      if (command && this.isOpen) this.send(command.message);
    }, RESEND_MS);
  }

  /** Remove a pending command and return it. @param {string} key */
  take(key) {
    const command = this.pending.get(key);
    this.pending.delete(key);
    return command;
  }

  /** Check the connection, and drop it if the server does not answer in time. */
  ping() {
    if (!this.isOpen || this.pongTimer !== undefined) return;
    this.send({ type: "ping", n: ++this.count });
    this.pongTimer = setTimeout(() => this.drop(), PONG_MS);
  }

  /** Reconnect immediately: the page is visible again or the network is back. */
  wake() {
    if (this.isOpen) this.ping();
    else if (!this.isEnded && this.socket?.readyState !== WebSocket.CONNECTING) {
      this.tries = 0;
      this.connect();
    }
  }

  drop() {
    const socket = this.socket;
    this.socket = null;
    socket?.close();
    this.retry();
  }

  /** Connect again after a while. */
  retry() {
    this.socket = null;
    clearTimeout(this.pongTimer);
    this.pongTimer = undefined;
    if (this.isEnded) return;
    this.onState("lost");
    clearTimeout(this.retryTimer);
    this.retryTimer = setTimeout(() => this.connect(), RETRY_MS[Math.min(this.tries++, RETRY_MS.length - 1)]);
  }

  /** @param {string} code */
  end(code) {
    this.isEnded = true;
    for (const { reject } of this.pending.values()) reject(new RefusalError(401, { code, message: code }));
    this.pending.clear();
    this.onState("ended", code);
  }
}
