/** Runs scripts of package.json together, shows the output of each when it ends, and fails if one fails. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";

const codes = await Promise.all(process.argv.slice(2).map(runScript));
if (codes.some((code) => code !== 0)) process.exitCode = 1;

async function runScript(name: string): Promise<number | null> {
  // Both outputs share one stream, so that what is written keeps its order.
  const child = spawn(`"${process.execPath}" --run ${name} 2>&1`, {
    shell: true,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(child, "close") as Promise<[number | null]>;
  const written = await text(child.stdout);
  const [code] = await ended;
  process.stdout.write(`${written.trimEnd()}\n`);
  if (code !== 0) console.error(`\`npm run ${name}\` failed`);
  return code;
}
