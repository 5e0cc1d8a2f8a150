// The server's calls: JSON in and out, problem documents as errors, a run's events in order whatever the connection does.
const API = "/api/v1";
const TERMINAL = new Set(["run.end", "run.error", "job.end", "job.error"]);
const RETRY_MS = 1000;

export class Unauthorized extends Error {}
export class Away extends Error {}

export function keepToken(token) { sessionStorage.setItem("token", token); }

export const hasToken = () => keptToken() !== null;

const keptToken = () => sessionStorage.getItem("token");

// A call that was refused while its user logged in goes again with the token that is there now.
async function send(path, options = {}) {
  const token = keptToken();
  const headers = { ...options.headers, ...(token ? { Authorization: `Bearer ${token}` } : {}) };
  const answer = await fetch(API + path, { ...options, headers }).catch(away);
  if (answer.ok) dispatchEvent(new Event("reached"));
  if (answer.ok) return answer;
  const problem = await answer.json();
  if (answer.status === 401 && keptToken() !== token) return send(path, options);
  const text = [problem.detail, problem.hint].filter(Boolean).join(" ");
  throw answer.status === 401 ? new Unauthorized(text) : Object.assign(new Error(text), { code: problem.code });
}

// fetch says TypeError where the network failed
function away(error) {
  throw error instanceof TypeError ? new Away("Pluto-Duck does not answer. Try again when its server can be reached.") : error;
}

async function sendJson(method, path, body) {
  const headers = { "Content-Type": "application/json" };
  return (await send(path, { method, headers, body: JSON.stringify(body) })).json();
}

export const post = (path, body = {}) => sendJson("POST", path, body);

export const patch = (path, body) => sendJson("PATCH", path, body);

export async function remove(path) { return (await send(path, { method: "DELETE" })).json(); }

export async function get(path) { return (await send(path)).json(); }

// A file as the body of a request.
export async function put(path, file) { return (await send(path, { method: "POST", body: file })).json(); }

// A file of the server's, saved under a name; a plain link could not send the token.
export async function download(path, name) {
  const url = URL.createObjectURL(await (await send(path)).blob());
  Object.assign(document.createElement("a"), { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

// The browser's EventSource can't send a token, so this reads the stream itself, resuming where it broke off.
export async function* eventsOf(path, signal) {
  let last = 0;
  while (!signal.aborted) {
    try {
      const headers = { "Last-Event-ID": String(last) };
      const answer = await send(path, { headers, signal });
      if (answer.status === 204) return;
      for await (const event of framesOf(answer.body)) {
        last = event.seq;
        yield event;
        if (TERMINAL.has(`${event.type}.${event.subtype}`)) return;
      }
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof Away || error instanceof TypeError)) throw error; // a stream that breaks off says TypeError
    }
    await new Promise((wake) => setTimeout(wake, RETRY_MS));
  }
}

async function* framesOf(body) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    const lines = (text + part.value).split("\n");
    text = lines.pop();
    for (const line of lines) {
      if (line.startsWith("data: ")) yield JSON.parse(line.slice(6));
    }
  }
}
