// Drives web/page.js as a browser would: `node page.mjs <address> <page.js> <token> <question>…` prints what the page
// shows in the end.
// The first event stream breaks off after its third event, and the page must not show it.
const [address, module_, token, ...questions] = process.argv.slice(2);
const made = {};

class Element {
  constructor(name) { Object.assign(this, { name, children: [], hidden: false, textContent: "", value: "" }); }
  append(...more) { this.children.push(...more); }
  replaceChildren(...more) { this.children = more; }
  focus() {}
  get text() { return this.textContent !== "" ? String(this.textContent) : this.children.map((each) => each.text).join("|"); }
}
const stored = {};
globalThis.document = { getElementById: (id) => (made[id] ??= new Element(id)), createElement: (name) => new Element(name) };
globalThis.sessionStorage = { getItem: (name) => stored[name] ?? null, setItem: (name, value) => { stored[name] = value; } };
globalThis.history = { replaceState: () => {} };
globalThis.location = { hash: "", pathname: "/" };

const really = globalThis.fetch;
let broken = false;
let logins = 0;
globalThis.fetch = async (path, options) => {
  const answer = await really(address + path, options);
  if (broken || !path.endsWith("/events") || !answer.ok) return answer;
  broken = true;
  return new Response(answer.body.pipeThrough(breakingAfter(3)), { headers: answer.headers });
};

function breakingAfter(count) {
  let seen = "";
  return new TransformStream({
    transform(chunk, controller) {
      seen += new TextDecoder().decode(chunk);
      const parts = seen.split("\n\n");
      if (parts.length <= count) return controller.enqueue(chunk);
      controller.enqueue(new TextEncoder().encode(parts.slice(0, count).join("\n\n") + "\n\nid: 4\ndata: {"));
      controller.error(new TypeError("network error"));
    },
  });
}

const $ = (id) => document.getElementById(id);
const ended = () => $("cancel").hidden && $("steps").children.length > 0;
const until = async (holds) => { while (!holds()) await new Promise((wake) => setTimeout(wake, 20)); };
const submit = (id) => $(id).onsubmit({ preventDefault() {} });

$("cancel").hidden = $("login").hidden = true;
await import(module_);
for (const question of questions) {
  $("question").value = question;
  submit("ask");
  await until(() => ended() || !$("login").hidden);
  if (!$("login").hidden) {
    logins += 1;
    $("token").value = token;
    submit("login");
    await until(ended);
  }
}
const shown = Object.fromEntries(["text", "options", "table", "sql", "steps", "count"].map((id) => [id, $(id).text]));
console.log(JSON.stringify({ ...shown, broken, logins }));
