/** Renaming and removing accounts, as the commands of an operator do. */
import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { openServiceStore } from "../../src/identity/open-service-store.ts";
import { EVENTS_STORE } from "../../src/events/sql/open-store.ts";
import { openSyncStore, SYNC_STORE } from "../../src/sync/sql/open-store.ts";
import { createStorePlaces, type StorePlace } from "../database/on-both-stores.ts";
import { addEventsAccount } from "../events/add-account.ts";
import { addSource, put, sampleGrant, sampleSession, write } from "../events/store/samples.ts";
import { runInside } from "../fixtures/run-inside.ts";
import { addSyncAccount } from "../sync/add-account.ts";
import { ANNA, signInOptions, startSyncService } from "../sync/service/sync-service.ts";
import { beginSignIn, signIn } from "../sync/sync-client.ts";

const { testOnBothStores } = createStorePlaces(openSyncStore, "sync");

async function configure({ folder, dataDir, store }: StorePlace<unknown>) {
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const settings = { dataDir, sync: { store, profile: "open" }, events: { store } };
  await writeFile(join(folder, "trellis.config.json"), JSON.stringify(settings));
  const section = { store, instanceKeyFile: join(dataDir, "instance.key") };
  return {
    section,
    run: (words: string) => runInside(folder, words.split(" ")),
  };
}

const closeAfter = (t: TestContext, store: { close(): Promise<void> }) =>
  t.after(() => store.close());

testOnBothStores(
  "a renamed sync account keeps its password, its devices and its known browsers",
  async (place, t) => {
    const { section, run } = await configure(place);
    const missing = await run("sync account rename --to grace --yes");
    assert.equal(missing.code, 1);
    const store = await openServiceStore(SYNC_STORE, section, place.dataDir);
    closeAfter(t, store);
    await addSyncAccount(store, store.instanceKey, ANNA);
    const { ask } = await startSyncService(store, { instanceKey: store.instanceKey });
    const { accessToken } = await signIn(ask, signInOptions());
    const begun = await beginSignIn(ask, signInOptions({ deviceId: "tablet" }));
    assert.ok(begun.kind === "challenged");

    const unconfirmed = await run("sync account rename --to grace");
    assert.deepEqual([unconfirmed.code, unconfirmed.stdout], [1, ""]);
    assert.equal(
      unconfirmed.stderr,
      'This renames the account "anna" to "grace": nothing was changed; add --yes to confirm\n',
    );
    const { code, stdout, stderr } = await run("sync account rename --to grace --yes --json");
    assert.equal(code, 0, stderr);
    assert.deepEqual(JSON.parse(stdout), { before: "anna", username: "grace" });

    const headers = { Authorization: `Bearer ${accessToken}` };
    assert.equal((await ask("/v1/device", { headers })).status, 200);
    assert.notEqual((await begun.complete()).status, 200);
    await signIn(ask, signInOptions({ username: "grace", deviceId: "laptop" }));
    const old = await beginSignIn(ask, signInOptions({ deviceId: "laptop" }));
    assert.ok(old.kind === "challenged");
    assert.notEqual((await old.complete()).status, 200);
    const [{ count } = { count: 0 }] = await store.database.query<{ count: number }>(
      "SELECT count(*) AS count FROM identity_known_browsers",
    );
    assert.equal(count, 2);
    const long = await run(`sync account rename --to ${"x".repeat(129)} --yes`);
    assert.match(long.stderr, /^The username is not valid/);
  },
);

testOnBothStores(
  "an events account is renamed, and removed with all that it has and nothing else",
  async (place, t) => {
    const { section, run } = await configure(place);
    const store = await openServiceStore(EVENTS_STORE, section, place.dataDir);
    closeAfter(t, store);
    const people: Record<string, string> = {};
    for (const username of ["ada", "eve"]) {
      const person = { username, password: ANNA.password };
      const accountId = await addEventsAccount(store, store.instanceKey, person);
      assert.ok(accountId !== null);
      people[username] = accountId;
      const { sourceId } = await addSource(store, accountId, "school");
      await write(store, [accountId, sourceId], [put("a"), put("b")]);
      await store.transaction(async ({ sessions, grants, identity }) => {
        await sessions.open(sampleSession(accountId, `session of ${username}`));
        await grants.add(sampleGrant(accountId, username));
        await identity.addSecret({
          hash: `code of ${username}`,
          purpose: "authorization-code",
          bound: JSON.stringify({ accountId }),
          expiresAt: Date.now() + 60_000,
          keepUntil: Date.now() + 60_000,
        });
      });
    }
    const taken = await run("events account rename --username ada --to eve --yes");
    assert.match(taken.stderr, /^There is already an account "eve": choose another name\n$/);
    const renamed = await run("events account rename --username ada --to grace --yes");
    assert.equal(renamed.stdout, '"ada" is now "grace"\n');
    const unknown = await run("events account remove --username ada --yes");
    assert.match(unknown.stderr, /^There is no account "ada"/);

    const unconfirmed = await run("events account remove --username grace");
    assert.equal(
      unconfirmed.stderr,
      'This removes the account "grace" with 2 events, 0 subscriptions and the access of 1 app: nothing was changed; add --yes to confirm\n',
    );
    const epoch = store.highWater.readSessionEpoch() ?? 0;
    const removed = await run("events account remove --username grace --yes --json");
    assert.deepEqual(JSON.parse(removed.stdout), {
      username: "grace",
      events: 2,
      subscriptions: 0,
      grants: 1,
    });
    assert.ok((store.highWater.readSessionEpoch() ?? 0) > epoch, "it counts as a revocation");
    for (const table of [
      "identity_accounts",
      "events_profiles",
      "events_sources",
      "events_sessions",
      "events_grants",
      "events_counters",
      "events_entries",
    ]) {
      const rows = await store.database.query<{ account_id: string }>(
        `SELECT DISTINCT account_id FROM ${table}`,
      );
      assert.deepEqual(
        rows.map((row) => row.account_id),
        [people["eve"]],
        table,
      );
    }
    const codes = await store.database.query<{ secret_hash: string }>(
      "SELECT secret_hash FROM identity_secrets",
    );
    assert.deepEqual(
      codes.map((row) => row.secret_hash),
      ["code of eve"],
    );
  },
);
