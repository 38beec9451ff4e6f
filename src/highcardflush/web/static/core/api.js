// Calls to the server. A refused call throws a `RefusalError` with the server's code and message.

const API = "/api/v1";

export class RefusalError extends Error {
  /** @param {number} status @param {import("../wire.js").Refusal} error */
  constructor(status, error) {
    super(error.message);
    this.status = status;
    this.code = error.code;
    this.error = error;
  }
}

/**
 * @param {string} method
 * @param {string} path below the root of the API
 * @param {unknown} [body]
 * @param {Record<string, string>} [headers]
 * @returns {Promise<any>}
 */
export async function call(method, path, body, headers = {}) {
  const hasBody = body !== undefined;
  const answer = await fetch(API + path, {
    method,
    headers: { "X-HCF": "1", ...(hasBody && { "Content-Type": "application/json" }), ...headers },
    body: hasBody ? JSON.stringify(body) : undefined,
  });
  const text = await answer.text();
  const data = text.trim() ? JSON.parse(text) : null;
  if (!answer.ok) throw new RefusalError(answer.status, data?.error ?? { code: "server", message: answer.statusText });
  return data;
}

/** @param {string} path */
export const get = (path) => call("GET", path);

/** @param {string} path @param {unknown} [body] */
export const post = (path, body) => call("POST", path, body);

const HERE = "hcf-here";
/** True if a session was opened on this device. Without a session, the call for the person would be an error. */
const hadSession = () => {
  try {
    return localStorage.getItem(HERE) !== null;
  } catch {
    return false;
  }
};

/** @param {import("../wire.js").Me} who */
export function remember(who) {
  try {
    localStorage.setItem(HERE, "1");
  } catch {
    // This browser stores nothing, so the lobby cannot greet the player by name.
  }
  return who;
}

/** Forget that a session was opened on this device. */
export const forget = () => localStorage.removeItem(HERE);

/** The person of this session, or null without a session. @returns {Promise<import("../wire.js").Me | null>} */
export async function me() {
  if (!hadSession()) return null;
  try {
    return await get("/me");
  } catch (error) {
    if (!(error instanceof RefusalError && error.status === 401)) throw error;
    forget();
    return null;
  }
}

/** True for a person with an account; false for a guest. @param {import("../wire.js").Me} who */
export const isRegistered = (who) => who.registered;

/** The person of this session, or a new guest. @returns {Promise<import("../wire.js").Me>} */
export const meOrGuest = async () => remember(await post("/guest"));
