// The parts of the page, one in sight.
export function turnTo(part) {
  for (const section of document.querySelectorAll("main > [id^=page-]")) section.hidden = section.id !== `page-${part}`;
  for (const link of document.querySelectorAll("nav a")) {
    if (link.hash === `#${part}`) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
}

const RETRY_MS = 1000;

// A module of the page's; where the network is away it is waited for.
export async function loaded(name) {
  for (;;) {
    try {
      return await import(`./${name}.js`);
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      await new Promise((wake) => setTimeout(wake, RETRY_MS));
    }
  }
}
