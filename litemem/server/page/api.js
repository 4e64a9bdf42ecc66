// The server's API, asked with the page's own session.

export class ApiError extends Error {
  constructor(status, code, message) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

const ENDED = "Your session has ended. Run “litemem ui” to open this page again.";
const AWAY = "The server can’t be reached. Is “litemem ui” or “litemem serve” still running?";

/** GET a path. Parameters that are null are left out; lists are joined by commas. */
export function get(path, { params = {}, signal } = {}) {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(params)) {
    if (value !== null && value !== undefined) query.set(name, String(value));
  }
  const asked = query.size ? `${path}?${query}` : path;
  return ask(asked, { signal });
}

/** Send JSON to a path. */
export function send(method, path, body, { signal } = {}) {
  return ask(path, {
    method,
    signal,
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
}

/** An id as one part of a path. Throws ApiError for what a URL would resolve to another path. */
export function part(id) {
  if (id === "" || id === "." || id === "..") throw new ApiError(404, "unknown", "there is no such thing");
  return encodeURIComponent(id);
}

async function ask(path, options) {
  let answer;
  try {
    answer = await fetch(path, { ...options, credentials: "same-origin", redirect: "error" });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new ApiError(0, "away", AWAY);
  }
  if (answer.status === 401) throw new ApiError(401, "unauthorized", ENDED);
  const found = await json(answer);
  if (answer.ok && found !== null) return found;
  const told = found?.error ?? {};
  throw new ApiError(answer.status, told.code ?? "http", told.message ?? `The server answered ${answer.status}.`);
}

async function json(answer) {
  try {
    return await answer.json();
  } catch (error) {
    if (error.name === "AbortError") throw error;
    return null;
  }
}
