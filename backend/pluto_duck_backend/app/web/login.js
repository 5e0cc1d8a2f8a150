// Calls that may be refused: where the server wants its token the user is asked for it, and the call is made again.
import { Away, Unauthorized, hasToken, keepToken } from "./api.js";
import { $ } from "./dom.js";

const waiting = []; // what goes on after the login: the page may have asked for several things at once

// Runs `work`; what goes wrong is told by `tell`, at the top of the page where nothing else is given.
export async function guarded(work, tell = tellAbove) {
  $("fault").hidden = true;
  try {
    await work();
  } catch (error) {
    if (!(error instanceof Unauthorized)) return tell(error.message, error.code, error instanceof Away);
    waiting.push(() => guarded(work, tell));
    askForToken();
  }
}

// Who sees it already may have turned to something else, and who types types on.
function askForToken() {
  const turnsToIt = $("login").hidden && !document.activeElement?.value;
  $("login").hidden = false;
  $("refused").hidden = !hasToken();
  if (turnsToIt) $("token").focus();
}

let isAway = false;

function tellAbove(text, code, away) {
  isAway = away;
  $("fault").textContent = text;
  $("fault").hidden = false;
}

// A server that answers again is not away, whoever asked it.
addEventListener("reached", () => { if (isAway) $("fault").hidden = true; });

$("login").onsubmit = (event) => {
  event.preventDefault();
  keepToken($("token").value);
  $("login").hidden = true;
  for (const goOn of waiting.splice(0)) goOn();
};
