import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { createServer, type AddressInfo, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { freePort } from "../fixtures/free-port.ts";
import { createCatalogFixture } from "../fixtures/catalog.ts";
import { openConnection, type RawConnection } from "../fixtures/raw-connection.ts";
import { runTrellis, writeConfiguration } from "./start-trellis.ts";

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

async function until<T>(find: () => Promise<T | null>): Promise<T> {
  const deadline = performance.now() + 10_000;
  for (;;) {
    const found = await find();
    if (found !== null) return found;
    assert.ok(performance.now() < deadline, "It did not happen in time");
    await pause(10);
  }
}

for (const [to, isGroup] of [
  ["the primary", false],
  ["the process group", true],
] as const) {
  test(`SIGTERM to ${to} before all workers are ready lets requests finish and exits 0`, async (t) => {
    const fixture = await createCatalogFixture({ releases: 1 });
    t.after(() => fixture.remove());
    const port = await freePort();
    const listen = { host: "127.0.0.1", port };
    const config = await writeConfiguration(t, fixture.folder, { release: { listen } });
    const words = ["serve", "release", "--config", config, "--workers", "4"];
    const server = runTrellis(t, words, { detached: true });
    // The first worker listens while the others start.
    const connection = await until(() =>
      openConnection(port).catch((): RawConnection | null => null),
    );
    // With the first response, its worker has also read the beginning of the second request.
    connection.send(
      "GET /health HTTP/1.1\r\nHost: a\r\n\r\nGET /health HTTP/1.1\r\nHost: a\r\nX-Rest:",
    );
    await connection.until(/^HTTP\/1\.1 200 OK\r\n/);
    const pid = server.child.pid ?? 0;
    process.kill(isGroup ? -pid : pid, "SIGTERM");
    await pause(300);
    connection.send(" x\r\n\r\n");
    assert.equal((await connection.closed).match(/HTTP\/1\.1 200 OK\r\n/g)?.length, 2);
    assert.deepEqual(await server.ended, { code: 0, signal: null });
    assert.doesNotMatch(server.stdout(), /"event":"ready"/);
    assert.match(server.stdout(), /"event":"stopped"[^\n]*\n$/);
    assert.equal(server.stderr(), "");
  });
}

/** A PostgreSQL server that accepts connections and says nothing. */
async function listenSilently(t: TestContext) {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const sockets: Socket[] = [];
  server.on("connection", (socket) => sockets.push(socket.on("error", () => {})));
  const close = () => {
    server.close();
    for (const socket of sockets) socket.destroy();
  };
  t.after(close);
  const { port } = server.address() as AddressInfo;
  return { port, connected: once(server, "connection"), close };
}

test("SIGTERM while the store is being opened stops the start and exits 0", async (t) => {
  const silent = await listenSilently(t);
  const folder = await mkdtemp(join(tmpdir(), "trellis-start-"));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const config = join(folder, "trellis.config.json");
  const store = `postgres://a:b@127.0.0.1:${silent.port}/c`;
  const listen = { host: "127.0.0.1", port: 0 };
  await writeFile(config, JSON.stringify({ sync: { listen, store } }));
  const server = runTrellis(t, ["serve", "--config", config]);
  await silent.connected;
  server.child.kill("SIGTERM");
  await pause(100);
  silent.close();
  assert.deepEqual(await server.ended, { code: 0, signal: null });
  assert.doesNotMatch(server.stdout(), /"event":"ready"/);
  assert.match(server.stdout(), /"event":"stopped"[^\n]*\n$/);
  assert.equal(server.stderr(), "");
});

test("Ctrl+C while the demo starts removes its folder", async (t) => {
  const folder = await mkdtemp(join(tmpdir(), "trellis-start-"));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const demo = runTrellis(t, ["demo"], { env: { TMPDIR: folder } });
  const listDemos = async () =>
    (await readdir(folder)).filter((name) => name.startsWith("trellis-demo-"));
  await until(async () => ((await listDemos()).length > 0 ? true : null));
  demo.child.kill("SIGINT");
  assert.deepEqual(await demo.ended, { code: 0, signal: null });
  assert.deepEqual(await listDemos(), []);
  assert.doesNotMatch(demo.stdout(), /is running/);
});
