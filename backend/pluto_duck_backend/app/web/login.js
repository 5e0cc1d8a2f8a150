// Calls that may be refused: where the server wants its token the user is asked for it, and the call is made again.
import { Unauthorized, hasToken, keepToken } from "./api.js";
import { $ } from "./dom.js";

const waiting = []; // what goes on after the login: the page may have asked for several things at once

// Runs `work`; what goes wrong is told by `tell`, at the top of the page where nothing else is given.
export async function guarded(work, tell = tellAbove) {
  $("fault").hidden = true;
  try {
    await work();
  } catch (error) {
    if (!(error instanceof Unauthorized)) return tell(error.message, error.code);
    waiting.push(() => guarded(work, tell));
    $("login").hidden = false;
    $("refused").hidden = !hasToken();
    $("token").focus();
  }
}

function tellAbove(text) {
  $("fault").textContent = text;
  $("fault").hidden = false;
}

$("login").onsubmit = (event) => {
  event.preventDefault();
  keepToken($("token").value);
  $("login").hidden = true;
  for (const goOn of waiting.splice(0)) goOn();
};
