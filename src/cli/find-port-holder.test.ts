import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { createServer } from "node:http";
import { test } from "node:test";
import { listenOnLocalhost } from "../../test/fixtures/listen-on-localhost.ts";
import { findPortHolder, nameTrellis } from "./find-port-holder.ts";

const skip = !existsSync("/proc/net/tcp") && "only Linux shows which program has a port";

test("a port is held by the process that listens there, with its folder", { skip }, async (t) => {
  const server = createServer();
  const { port } = new URL(await listenOnLocalhost(t, server));
  const holder = findPortHolder(Number(port)) ?? "";
  assert.ok(holder.endsWith(` (process ${process.pid}, in ${process.cwd()})`), holder);
  server.close();
  assert.equal(findPortHolder(Number(port)), null);
});

test("a program at another address of the machine is not in the way", { skip }, async (t) => {
  const server = createServer();
  const { port } = new URL(await listenOnLocalhost(t, server));
  assert.equal(findPortHolder(Number(port), "127.0.0.9"), null);
  assert.notEqual(findPortHolder(Number(port), "0.0.0.0"), null);
});

for (const [words, name] of [
  ["/usr/bin/node --max-semi-space-size=8 src/cli/trellis.ts demo --verbose", "the Trellis demo"],
  ["node /app/node_modules/.bin/trellis serve sync --workers 2", "trellis serve sync"],
  ["/usr/bin/trellis", "trellis"],
  ["node dist/trellis.js dev --data /srv/secret -- node serve.ts", "trellis dev"],
  ["/usr/bin/python3 -m http.server --token=secret", null],
  ["/usr/bin/python3 -m http.server -d /srv/trellis", null],
  ["psql -U trellis letmein", null],
  ["node server.cjs --user trellis hunter", null],
  ["node dist/trellis.js account letmein", "trellis"],
] as const) {
  test(`"${words}" is ${name ?? "another program"}`, () => {
    assert.equal(nameTrellis(words.split(" ")), name);
  });
}
