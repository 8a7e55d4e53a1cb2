import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { DAY_MS } from "../contract/durations.ts";
import { startMaintenance, type MaintainedHost } from "./maintain-instances.ts";

async function createRound(t: TestContext, names: readonly string[], suspended: string[] = []) {
  const dataDir = await mkdtemp(join(tmpdir(), "trellis-maintain-"));
  t.after(() => rm(dataDir, { recursive: true, force: true }));
  for (const name of names) await mkdir(join(dataDir, "instances", name), { recursive: true });
  const clock = { now: Date.UTC(2026, 0, 1) };
  const used: string[] = [];
  const failed: string[] = [];
  const host: MaintainedHost = {
    listInstances: () =>
      names.map((name) => ({
        name,
        settings: { baseUrl: `https://${name}.example`, suspended: suspended.includes(name) },
      })),
    async use(name) {
      used.push(name);
      if (name === "broken") throw new Error("It cannot be opened");
    },
  };
  const start = () => {
    const maintenance = startMaintenance({
      host,
      dataDir,
      now: () => clock.now,
      onFailed: (name) => failed.push(name),
    });
    t.after(() => maintenance.close());
    return maintenance;
  };
  return { clock, used, failed, start };
}

test("every instance is maintained once a day, one at a time, and a suspended one is not", async (t) => {
  const { clock, used, start } = await createRound(t, ["cleo", "ada", "bob"], ["bob"]);
  const { runNext } = start();
  for (let turn = 0; turn < 5; turn++) await runNext();
  assert.deepEqual(used, ["ada", "cleo"]);
  clock.now += DAY_MS;
  for (let turn = 0; turn < 3; turn++) await runNext();
  assert.deepEqual(used.slice(2).sort(), ["ada", "cleo"]);
});

test("several processes share the work, and a restart does not begin it anew", async (t) => {
  const { used, start } = await createRound(t, ["ada", "bob"]);
  const [first, second] = [start(), start()];
  await first.runNext();
  for (let turn = 0; turn < 3; turn++) await second.runNext();
  await start().runNext();
  assert.deepEqual(used, ["ada", "bob"]);
});

test("an instance that has failed is tried again in its next turn", async (t) => {
  const { used, start } = await createRound(t, ["broken", "cleo"]);
  const { runNext } = start();
  for (let turn = 0; turn < 4; turn++) await runNext();
  assert.deepEqual(used, ["broken", "cleo", "broken"]);
});

test("an instance that fails is reported, and the next one has its turn", async (t) => {
  const { used, failed, start } = await createRound(t, ["broken", "cleo"]);
  const { runNext } = start();
  await runNext();
  await runNext();
  assert.deepEqual([used, failed], [["broken", "cleo"], ["broken"]]);
});

test("a mark that a wrong clock made in the future does not end the maintenance", async (t) => {
  const { clock, used, start } = await createRound(t, ["ada"]);
  const { runNext } = start();
  clock.now += 365 * DAY_MS;
  await runNext();
  clock.now -= 365 * DAY_MS;
  await runNext();
  assert.deepEqual(used, ["ada", "ada"]);
});
