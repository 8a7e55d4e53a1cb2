#!/usr/bin/env -S node --max-semi-space-size=8
/**
 * The command line. An old Node parses this file and no other: it imports nothing before it knows that
 * the rest can run. The flag keeps the young generation of the heap small: it would grow to 64 MB under
 * load, which makes Trellis hardly faster. It is in the first line because installers build their
 * launchers from it.
 */
const OLDEST_NODE = [24, 12] as const;

const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
// Other runtimes name a version of Node that says little about them.
const isNode = !("bun" in process.versions || "deno" in process.versions);
if (isNode && (major < OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor < OLDEST_NODE[1]))) {
  process.stderr.write(
    `Trellis needs Node ${OLDEST_NODE.join(".")} or newer, this is ${process.versions.node}: install it from https://nodejs.org/download, or with \`nvm install ${OLDEST_NODE[0]}\`\n`,
  );
  process.exitCode = 1;
} else {
  await import("./main.ts");
}
