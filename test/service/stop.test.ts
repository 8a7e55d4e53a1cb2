import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { createCatalogFixture, type CatalogFixture } from "../fixtures/catalog.ts";
import { openConnection } from "../fixtures/raw-connection.ts";
import { serveTrellis, writeConfiguration } from "./start-trellis.ts";

let fixture: CatalogFixture;
before(async () => {
  fixture = await createCatalogFixture({ releases: 3 });
});
after(() => fixture.remove());

/** A request that stays open until `finish`: the server waits for the rest of its headers. */
async function beginRequest(port: number, path = "/health") {
  const connection = await openConnection(port);
  connection.send(`GET ${path} HTTP/1.1\r\nHost: a\r\nX-Rest:`);
  // Time for the first bytes to arrive.
  await new Promise((resolve) => setTimeout(resolve, 100));
  return { ...connection, finish: () => connection.send(" x\r\n\r\n") };
}

/** Resolves when no connection is accepted any more. */
async function refused(port: number): Promise<void> {
  for (;;) {
    try {
      (await openConnection(port)).socket.destroy();
    } catch (error) {
      assert.equal((error as NodeJS.ErrnoException).code, "ECONNREFUSED");
      return;
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

for (const [signal, origin, path, response] of [
  ["SIGTERM", "apiPort", "/health", /^HTTP\/1\.1 200 OK\r\n/],
  ["SIGINT", "smartDownloadPort", "/", /^HTTP\/1\.1 302 Found\r\n/],
] as const) {
  test(`${signal} during a request lets it finish, accepts no connection, and exits 0`, async (t) => {
    const config = await writeConfiguration(t, fixture.folder);
    const server = await serveTrellis(t, config);
    const running = await beginRequest(server[origin], path);
    server.child.kill(signal);
    // The origin without a request closes without waiting for the other one.
    for (const port of [server.apiPort, server.smartDownloadPort]) await refused(port);
    running.finish();
    assert.match(await running.closed, response);
    assert.deepEqual(await server.ended, { code: 0, signal: null });
    assert.match(server.stdout(), /\{"event":"stopped",[^\n]*\}\n$/);
    assert.equal(server.stderr(), "");
  });
}

test("a second signal stops it at once", async (t) => {
  const config = await writeConfiguration(t, fixture.folder);
  const server = await serveTrellis(t, config);
  await beginRequest(server.apiPort);
  server.child.kill("SIGTERM");
  await new Promise((resolve) => setTimeout(resolve, 200));
  const startedAt = performance.now();
  server.child.kill("SIGTERM");
  const { code } = await server.ended;
  assert.equal(code, 1);
  // The first signal alone would give the request ten seconds.
  assert.ok(performance.now() - startedAt < 8000);
});

test("a request that never ends is aborted after the configured time", async (t) => {
  const config = await writeConfiguration(t, fixture.folder, { http: { stopSeconds: 2 } });
  const server = await serveTrellis(t, config);
  await Promise.all([beginRequest(server.apiPort), beginRequest(server.smartDownloadPort)]);
  const startedAt = performance.now();
  server.child.kill("SIGTERM");
  assert.deepEqual(await server.ended, { code: 0, signal: null });
  const elapsed = performance.now() - startedAt;
  assert.ok(elapsed > 1900 && elapsed < 8000, String(elapsed));
});

test("after a kill it serves the same responses again", async (t) => {
  const config = await writeConfiguration(t, fixture.folder);
  const read = async (api: string) => {
    const response = await fetch(`${api}/api/v1/manifest`);
    return { etag: response.headers.get("ETag"), text: await response.text() };
  };
  const first = await serveTrellis(t, config);
  const before = await read(first.api);
  first.child.kill("SIGKILL");
  await first.ended;
  const second = await serveTrellis(t, config);
  assert.deepEqual(await read(second.api), before);
});
