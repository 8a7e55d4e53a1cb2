import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, openSync, closeSync } from "node:fs";
import { after, before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { freePort } from "../fixtures/free-port.ts";
import { createCatalogFixture, type CatalogFixture } from "../fixtures/catalog.ts";
import { openConnection } from "../fixtures/raw-connection.ts";
import { nodeProgram } from "../fixtures/trellis-program.ts";
import { runTrellis, serveTrellis, writeConfiguration } from "./start-trellis.ts";

let fixture: CatalogFixture;
before(async () => {
  fixture = await createCatalogFixture({ releases: 2 });
});
after(() => fixture.remove());

const isHealthy = async (api: string) => (await fetch(`${api}/health`)).status === 200;

test("a service goes on when the reader of its log is gone", async (t) => {
  for (const words of [[], ["--workers", "2"]]) {
    const server = await serveTrellis(t, await writeConfiguration(t, fixture.folder), words);
    server.child.stdout?.destroy();
    for (let round = 0; round < 5; round++) {
      assert.equal(await isHealthy(server.api), true);
      await sleep(30);
    }
    server.child.kill("SIGTERM");
    assert.deepEqual(await server.ended, { code: 0, signal: null });
    assert.equal(server.stderr(), "");
  }
});

test(
  "a service starts and runs although the disk of its log is full",
  { skip: !existsSync("/dev/full") && "needs /dev/full" },
  async (t) => {
    const port = await freePort();
    const release = { listen: { host: "127.0.0.1", port } };
    const config = await writeConfiguration(t, fixture.folder, { release });
    const full = openSync("/dev/full", "w");
    t.after(() => closeSync(full));
    const server = runTrellis(t, ["serve", "--config", config], { stdout: full });
    const api = `http://127.0.0.1:${port}`;
    const givesUpAt = performance.now() + 15_000;
    while (!(await isHealthy(api).catch(() => false))) {
      assert.ok(performance.now() < givesUpAt, `It does not serve: ${server.stderr()}`);
      await sleep(50);
    }
    await sleep(50);
    assert.equal(await isHealthy(api), true);
    server.child.kill("SIGTERM");
    assert.deepEqual(await server.ended, { code: 0, signal: null });
    assert.equal(server.stderr(), "");
  },
);

const REQUESTS = 4000;

test("lines that are not read are dropped, and the log says how many", async (t) => {
  const server = await serveTrellis(t, await writeConfiguration(t, fixture.folder));
  server.child.stdout?.pause();
  await sendRequests(server.apiPort, REQUESTS);
  // The log is read again, after the service has noticed that it was not.
  await sleep(100);
  server.child.stdout?.resume();
  const gap = await server.line((line) => line.startsWith('{"event":"log_lines_dropped"'));
  const { count, level } = JSON.parse(gap) as { count: number; level: string };
  assert.equal(await isHealthy(server.api), true);
  server.child.kill("SIGTERM");
  assert.deepEqual(await server.ended, { code: 0, signal: null });
  const lines = server.stdout().trimEnd().split("\n");
  const written = lines.filter((line) => (JSON.parse(line) as { path?: string }).path === PATH);
  assert.equal(written.length + count, REQUESTS);
  assert.ok(count > 0);
  assert.equal(level, "warn");
});

test("a stop does not wait for a log without a reader", async (t) => {
  const server = await serveTrellis(t, await writeConfiguration(t, fixture.folder));
  server.child.stdout?.pause();
  await sendRequests(server.apiPort, 400);
  const exited = once(server.child, "exit");
  server.child.kill("SIGTERM");
  assert.deepEqual(await exited, [0, null]);
  server.child.stdout?.resume();
});

test("a command whose output cannot be written says so without a stack", async (t) => {
  if (!existsSync("/dev/full")) return t.skip("needs /dev/full");
  const full = openSync("/dev/full", "w");
  t.after(() => closeSync(full));
  const [program, ...words] = nodeProgram();
  const child = spawn(program, [...words, "--help"], { stdio: ["ignore", full, "pipe"] });
  let stderr = "";
  child.stderr?.on("data", (chunk: Buffer) => (stderr += chunk.toString()));
  const [code] = (await once(child, "close")) as [number];
  assert.deepEqual(
    [code, stderr],
    [1, "Cannot write the output (ENOSPC): check its destination\n"],
  );
});

const PATH = `/${"y".repeat(500)}`;

async function sendRequests(port: number, count: number): Promise<void> {
  const connection = await openConnection(port);
  const request = `GET ${PATH} HTTP/1.1\r\nHost: a\r\n\r\n`;
  connection.send(request.repeat(count - 1));
  connection.send(`GET ${PATH} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);
  await connection.closed;
}
