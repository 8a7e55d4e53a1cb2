/** A newer version beside a running server of an older one changes nothing until that server has stopped. */
import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { describeVersion } from "../../src/database/product-stamp.ts";
import { PRODUCT_VERSION } from "../../src/database/product-version.ts";
import { openSyncStore } from "../../src/sync/sql/open-store.ts";
import { createStorePlaces } from "../database/on-both-stores.ts";
import { runInside } from "../fixtures/run-inside.ts";
import { createOperation } from "../fixtures/sync-operation.ts";
import { createAccount } from "../service/create-account.ts";
import { runTrellis, type TrellisOptions } from "../service/start-trellis.ts";
import { ACCOUNT, REDIRECT_URI } from "../sync/faults/sync-instance.ts";
import { createDevice, createLogReader, idOf } from "../sync/faults/device.ts";
import { addAccount, createHostPlace, originOf } from "../sync/host/serve-host.ts";
import type { Ask } from "../sync/sync-client.ts";
import { makeNextVersion, NEXT_VERSION } from "./next-version.ts";

const { testOnBothStores } = createStorePlaces(openSyncStore);
const ANY_PORT = { host: "127.0.0.1", port: 0 };
const NEEDS = `The sync store is of version ${describeVersion()} and needs a migration of this version (900-next):`;

async function serve(t: TestContext, config: string, options: TrellisOptions = {}) {
  const running = runTrellis(t, ["serve", "--config", config], options);
  const line = await running.line((text) => text.startsWith('{"event":"ready"'));
  const { sync, events, version } = JSON.parse(line) as Record<string, string>;
  const ask: Ask = (path, init) => fetch(`${sync}${path}`, init);
  const stop = async () => {
    running.child.kill("SIGTERM");
    assert.deepEqual(await running.ended, { code: 0, signal: null });
  };
  return { ...running, ask, stop, events, version };
}

/** Runs the next version. */
async function makeNext(t: TestContext, config: string) {
  const program = await makeNextVersion();
  const runNext = async (words: string) => {
    const running = runTrellis(t, [...words.split(" "), "--config", config], { program });
    const { code } = await running.ended;
    return { code, stdout: running.stdout(), stderr: running.stderr() };
  };
  const serveNext = () => serve(t, config, { program });
  const assertNextRefuses = async (sentences: Readonly<Record<"serve" | "migrate", string>>) => {
    const [refused] = await Promise.all([
      runNext("store migrate --yes"),
      // The error has the output of the process.
      assert.rejects(serveNext(), (error: Error) =>
        error.message.startsWith(`The process ended with code 1\n\n${sentences.serve}`),
      ),
    ]);
    assert.equal(refused.code, 1);
    assert.ok(refused.stderr.startsWith(sentences.migrate), refused.stderr);
  };
  return { runNext, serveNext, assertNextRefuses };
}

testOnBothStores("a store is not upgraded beside a server of it", async (place, t) => {
  const { folder, dataDir, store } = place;
  const isFile = store.startsWith("sqlite");
  const config = join(folder, "trellis.config.json");
  const listen = ANY_PORT;
  const sync = { store, listen, profile: "open", redirectUris: [REDIRECT_URI] };
  await writeFile(config, JSON.stringify({ dataDir, sync, events: { store, listen } }));
  await createAccount(folder, "sync", ACCOUNT);
  await createAccount(folder, "events", ACCOUNT);
  const { runNext, serveNext, assertNextRefuses } = await makeNext(t, config);

  const server = await serve(t, config);
  const phone = await createDevice(server.ask, "phone");
  const texts = [JSON.stringify(createOperation({ entityId: "note/1", payload: { title: "a" } }))];
  await phone.push(server.ask, texts);
  const read = await runNext("sync status");
  assert.deepEqual([read.code, read.stdout], [1, ""], read.stderr);
  assert.ok(read.stderr.startsWith(`${NEEDS} stop `), read.stderr);
  await assertNextRefuses({
    serve: `${NEEDS} ${isFile ? "a server or a command of an older version still uses it" : "stop"}`,
    migrate: "The sync store is in use: stop `trellis serve` and wait",
  });

  // A sign-in writes the table that the next version renames.
  await createDevice(server.ask, "laptop");
  const status = await runInside(folder, ["sync", "status"]);
  assert.equal(status.code, 0, status.stderr);
  await server.stop();

  if (!isFile) {
    const migrated = await runNext("store migrate --yes");
    assert.equal(migrated.code, 0, migrated.stderr);
  }
  const next = await serveNext();
  assert.equal(next.version, NEXT_VERSION);
  assert.equal(next.stdout().match(/"event":"store_copied"/g)?.length ?? 0, isFile ? 2 : 0);
  assert.equal((await fetch(`${next.events}/health`)).status, 200);
  assert.deepEqual((await createLogReader(phone)(next.ask)).texts.map(idOf), texts.map(idOf));
  await phone.refresh(next.ask);
  await createDevice(next.ask, "tablet");
  await next.stop();

  const older = await runInside(folder, ["sync", "status"]);
  assert.match(
    older.stderr,
    new RegExp(`version ${NEXT_VERSION} \\(build \\w+\\) applied migration`),
  );
});

test("an idle instance is not upgraded beside a host of it", async (t) => {
  const place = await createHostPlace(t, "SQLite");
  const config = join(place.dataDir, "trellis.config.json");
  const instances = { ada: { baseUrl: originOf("ada") } };
  const settings = { dataDir: place.dataDir, sync: { listen: ANY_PORT, instances } };
  await writeFile(config, JSON.stringify(settings));
  await addAccount(place, "ada");
  const { runNext, assertNextRefuses } = await makeNext(t, config);

  const server = await serve(t, config);
  const sentence = `A server of version ${PRODUCT_VERSION} serves these instances: stop it, then`;
  await assertNextRefuses({ serve: sentence, migrate: sentence });
  await server.stop();
  const migrated = await runNext("store migrate --yes");
  assert.equal(migrated.code, 0, migrated.stderr);
  assert.match(migrated.stdout, /^Applied to the sync store of the instance "ada": 900-next\n$/);
});
