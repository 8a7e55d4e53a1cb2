/**
 * The contract of the store where no session outlives a transaction. All cases are instances of one database, beside
 * a further one, and row security is on. Each case has its store open in two processes at most.
 */
import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { addInstance, inInstance } from "../../../src/database/named-instance.ts";
import { useDatabase } from "../../../src/database/open-database.ts";
import { openPostgres, type PostgresDatabase } from "../../../src/database/postgres.ts";
import { compactLog } from "../../../src/sync/maintenance/compact.ts";
import type { SqlSyncStore } from "../../../src/sync/sql/open-sql-store.ts";
import { openSyncStore } from "../../../src/sync/sql/open-store.ts";
import { createStoreCases, type StorePlace } from "../../../store-contract/index.ts";
import { CANARIES, readCanaries, secureRows } from "../../database/canaries.ts";
import { startOtherEngine } from "../../database/other-engine.ts";
import { startPgBouncer } from "../../database/pgbouncer.ts";
import type { CleanUp } from "../../fixtures/clean-up.ts";
import { createBesideCanaries } from "./sql-place.ts";

/** Two addresses of one database have a pool each, as two processes do. */
const processes = (address: string) =>
  ["one", "other"].map((name) => `${address}&application_name=${name}`);

function describeContract(
  title: string,
  start: (t: CleanUp, url: string) => Promise<string>,
  check: () => void = () => {},
): void {
  describe(title, { concurrency: 3 }, () => {
    let url: string;
    let addresses: readonly string[];
    let canaries: readonly string[];
    const kept: PostgresDatabase[] = [];
    const cleanups: (() => unknown)[] = [];
    const readAll = () => useDatabase(url, { instance: CANARIES }, readCanaries);

    before(async () => {
      url = await createBesideCanaries();
      // Its number is that of the canaries.
      await addInstance(url, "canaries");
      await useDatabase(url, {}, secureRows);
      canaries = await readAll();
      assert.equal(canaries.length, 24);
      addresses = processes(await start({ after: (work) => cleanups.push(work) }, url));
      // They keep the connections.
      for (const address of addresses) kept.push(await openPostgres(address));
    });
    after(async () => {
      for (const database of kept) await database.close();
      for (const cleanUp of cleanups.toReversed()) await cleanUp();
      assert.deepEqual(await readAll(), canaries);
      check();
    });

    let cases = 0;
    async function createPlace(): Promise<StorePlace> {
      const folder = await mkdtemp(join(tmpdir(), "trellis-pooled-"));
      const name = `case-${++cases}`;
      await addInstance(addresses[0] ?? "", name);
      let openings = 0;
      return {
        open: () =>
          openSyncStore(inInstance(addresses[openings++ % addresses.length] ?? "", name), folder),
        remove: () => rm(folder, { recursive: true }),
      };
    }
    const harness = {
      createPlace,
      isShared: true,
      compact: async (store: object) => void (await compactLog((store as SqlSyncStore).database)),
    };
    for (const { name, run } of createStoreCases(harness)) test(name, run);
  });
}

describeContract("the store through PgBouncer in transaction mode", async (t, url) => {
  const { address } = await startPgBouncer(t, url, ["pool_mode = transaction"]);
  return `${address}?pool=transaction`;
});

let engine: Awaited<ReturnType<typeof startOtherEngine>> | undefined;
describeContract(
  "the store on an engine without sessions that refuses every tenth commit",
  async (t, url) => {
    engine = await startOtherEngine(t, url);
    return engine.address;
  },
  () => {
    assert.ok((engine?.refusals() ?? 0) > 100);
    // It is asked once for each connection, and does without the response.
    for (const text of engine?.unknown ?? []) assert.match(text, /pg_control_system/);
  },
);
