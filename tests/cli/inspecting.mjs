// Runs commands of the MCP inspector in one process, since node takes a third of a second to start: each line of stdin is
// a command's words as JSON, each line of stdout {out, error}: what it printed, and what it failed with.
import { createInterface } from "node:readline";

const { runMcp } = await import(process.argv[2]);
const write = process.stdout.write.bind(process.stdout);
let out = "";
process.stdout.write = (text, ...rest) => { out += text; rest.find((each) => typeof each === "function")?.(); return true; };

for await (const line of createInterface({ input: process.stdin })) {
  out = "";
  const error = await runMcp(["node", "mcpdo", ...JSON.parse(line)]).then(() => null, (raised) => String(raised.message));
  write(`${JSON.stringify({ out, error })}\n`);
}
process.exit(0);
