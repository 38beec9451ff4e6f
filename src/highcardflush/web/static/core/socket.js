// The live connection to the server. It reconnects by itself, asks for missed events, and resends unanswered commands
// under the same key, so that no command is lost or done twice.
import { Refused, post } from "./api.js";

/**
 * @typedef {import("../wire.js").ServerSays} ServerSays
 * @typedef {"connecting" | "open" | "lost" | "ended"} LineState
 * @typedef {{message: object, resolve: (answer: any) => void, reject: (error: Error) => void}} Pending
 */

const PATIENCE_MS = 4000;
const PING_MS = 15_000;
const WAITS_MS = [200, 500, 1000, 2000, 4000];
/** The server's codes after which the page does not reconnect. */
const FINAL = new Set(["signed-out"]);

export class Line {
  /**
   * @param {(message: ServerSays) => void} onMessage
   * @param {(state: LineState, reason?: string) => void} onState
   */
  constructor(onMessage, onState) {
    this.onMessage = onMessage;
    this.onState = onState;
    /** @type {WebSocket | null} */
    this.socket = null;
    /** @type {Map<string, Pending>} */
    this.pending = new Map();
    /** The last event of each watched table. @type {Map<string, number | undefined>} */
    this.tables = new Map();
    this.tries = 0;
    /** The number of connection attempts. Of two attempts at a time only the later one opens a socket. */
    this.begins = 0;
    this.ended = false;
    /** @type {number | undefined} */
    this.timer = undefined;
    /** @type {number | undefined} */
    this.overdue = undefined;
    this.count = 0;
    this.begun = crypto.randomUUID();
    addEventListener("online", () => this.wake());
    addEventListener("offline", () => this.drop());
    document.addEventListener("visibilitychange", () => document.hidden || this.wake());
    setInterval(() => this.ping(), PING_MS);
  }

  /** @param {string} table */
  watch(table) {
    this.tables.set(table, undefined);
    if (this.isOpen) this.say({ type: "watch", table });
    else if (!this.socket) this.connect();
  }

  get isOpen() {
    return this.socket?.readyState === WebSocket.OPEN;
  }

  /**
   * Send a command. It has the same key whenever it is resent.
   * @param {string} stream
   * @param {import("../wire.js").PlayerCommand} command
   * @returns {Promise<import("../wire.js").Accepted>}
   */
  do(stream, command) {
    const key = `${this.begun} ${++this.count}`;
    const message = { type: "do", key, stream, command };
    return new Promise((resolve, reject) => {
      this.pending.set(key, { message, resolve, reject });
      if (this.isOpen) this.say(message);
    });
  }

  /** @param {object} message */
  say(message) {
    this.socket?.send(JSON.stringify(message));
  }

  async connect() {
    clearTimeout(this.timer);
    if (this.ended) return;
    this.onState("connecting");
    const begin = ++this.begins;
    try {
      const { ticket } = await post("/ticket");
      if (begin !== this.begins) return;
      const scheme = location.protocol === "https:" ? "wss" : "ws";
      const socket = new WebSocket(`${scheme}://${location.host}/api/v1/live?ticket=${encodeURIComponent(ticket)}`);
      this.socket = socket;
      socket.onopen = () => this.opened();
      socket.onmessage = (event) => this.heard(JSON.parse(event.data));
      socket.onclose = () => socket === this.socket && this.lost();
    } catch (error) {
      if (begin !== this.begins) return;
      if (error instanceof Refused && error.status === 401) this.end("signed-out");
      else this.lost();
    }
  }

  opened() {
    this.tries = 0;
    for (const [table, after] of this.tables)
      this.say(after === undefined ? { type: "watch", table } : { type: "watch", table, after });
    for (const { message } of this.pending.values()) this.say(message);
    this.onState("open");
  }

  /** @param {ServerSays} message */
  heard(message) {
    clearTimeout(this.overdue);
    this.overdue = undefined;
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
        if (message.key !== null) this.take(message.key)?.reject(new Refused(422, message.error));
        break;
      case "bye":
        if (FINAL.has(message.code)) this.end(message.code);
        break;
    }
    this.onMessage(message);
  }

  /** @param {string} key */
  take(key) {
    const command = this.pending.get(key);
    this.pending.delete(key);
    return command;
  }

  /** Check the connection: without an answer in time it is closed. */
  ping() {
    if (!this.isOpen || this.overdue !== undefined) return;
    this.say({ type: "ping", n: ++this.count });
    this.overdue = setTimeout(() => this.drop(), PATIENCE_MS);
  }

  /** Reconnect at once, when the page is visible again or the network is back. */
  wake() {
    if (this.isOpen) this.ping();
    else if (!this.ended && this.socket?.readyState !== WebSocket.CONNECTING) {
      this.tries = 0;
      this.connect();
    }
  }

  drop() {
    const socket = this.socket;
    this.socket = null;
    socket?.close();
    this.lost();
  }

  lost() {
    this.socket = null;
    clearTimeout(this.overdue);
    this.overdue = undefined;
    if (this.ended) return;
    this.onState("lost");
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.connect(), WAITS_MS[Math.min(this.tries++, WAITS_MS.length - 1)]);
  }

  /** @param {string} code */
  end(code) {
    this.ended = true;
    for (const { reject } of this.pending.values()) reject(new Refused(401, { code, message: code }));
    this.pending.clear();
    this.onState("ended", code);
  }
}
