/** A newer version beside a running server of an older one changes nothing until that server has stopped. */
import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { openSyncStore } from "../../src/server/sync-store.ts";
import { createStorePlaces } from "../database/on-both-stores.ts";
import { runInside } from "../fixtures/run-inside.ts";
import { createOperation } from "../fixtures/sync-operation.ts";
import { createAccount } from "../service/create-account.ts";
import { runTrellis, type TrellisOptions } from "../service/start-trellis.ts";
import { ACCOUNT, REDIRECT_URI } from "../sync/faults/sync-instance.ts";
import { createDevice, createLogReader, idOf } from "../sync/faults/device.ts";
import type { Ask } from "../sync/sync-client.ts";
import { makeNextVersion, NEXT_VERSION } from "./next-version.ts";

const { testOnBothStores } = createStorePlaces(openSyncStore);
const ANY_PORT = { host: "127.0.0.1", port: 0 };
const NEEDS = /^The sync store needs a migration of this version \(900-next\): stop /;

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

testOnBothStores("a store is not upgraded beside a server of it", async (place, t) => {
  const { folder, dataDir, store } = place;
  const isFile = store.startsWith("sqlite");
  const config = join(folder, "trellis.config.json");
  const listen = ANY_PORT;
  const sync = { store, listen, profile: "open", redirectUris: [REDIRECT_URI] };
  await writeFile(config, JSON.stringify({ dataDir, sync, events: { store, listen } }));
  await createAccount(folder, "sync", ACCOUNT);
  await createAccount(folder, "events", ACCOUNT);
  const program = await makeNextVersion(t);
  const runNext = async (words: string) => {
    const running = runTrellis(t, [...words.split(" "), "--config", config], { program });
    const { code } = await running.ended;
    return { code, stdout: running.stdout(), stderr: running.stderr() };
  };

  const server = await serve(t, config);
  const phone = await createDevice(server.ask, "phone");
  const texts = [JSON.stringify(createOperation({ entityId: "note/1", payload: { title: "a" } }))];
  await phone.push(server.ask, texts);
  const refusals = {
    "sync status": NEEDS,
    serve: isFile ? /: a server or a command of an older version still uses it; stop it/ : NEEDS,
    "store migrate --yes": /^The store is in use: stop `trellis serve` /,
  };
  const runs = Object.entries(refusals).map(async ([words, message]) => {
    const { code, stdout, stderr } = await runNext(words);
    assert.deepEqual([code, stdout], [1, ""], stderr);
    assert.match(stderr, message);
  });
  await Promise.all(runs);

  // A sign-in writes the table that the next version renames.
  await createDevice(server.ask, "laptop");
  const status = await runInside(folder, ["sync", "status"]);
  assert.equal(status.code, 0, status.stderr);
  await server.stop();

  if (!isFile) {
    const migrated = await runNext("store migrate --yes");
    assert.equal(migrated.code, 0, migrated.stderr);
  }
  const next = await serve(t, config, { program });
  assert.equal(next.version, NEXT_VERSION);
  assert.equal(next.stdout().match(/"event":"store_copied"/g)?.length ?? 0, isFile ? 2 : 0);
  assert.equal((await fetch(`${next.events}/health`)).status, 200);
  assert.deepEqual((await createLogReader(phone)(next.ask)).texts.map(idOf), texts.map(idOf));
  await phone.refresh(next.ask);
  await createDevice(next.ask, "tablet");
  await next.stop();

  const older = await runInside(folder, ["sync", "status"]);
  assert.match(older.stderr, new RegExp(`start version ${NEXT_VERSION}, which made it,`));
});
