import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { saveUsage, type InstanceUsage } from "./instance-usage.ts";
import { createInstancesWatch } from "./watch-instances.ts";

const usageOf = (bytes: number): InstanceUsage => ({
  writtenAt: 0,
  isOpen: false,
  hasAccount: true,
  devices: 1,
  lastUsedAt: null,
  bytes,
  lags: { devices: 1, furthest: 0, behind: [0, 0, 0, 0, 0] },
  keyCheck: null,
});

async function createWatch(t: TestContext, count: number) {
  const dataDir = await mkdtemp(join(tmpdir(), "trellis-watch-"));
  t.after(() => rm(dataDir, { recursive: true, force: true }));
  const names = Array.from({ length: count }, (_, index) => `person-${index}`);
  const clock = { now: 0 };
  const write = async (name: string, bytes: number) => {
    await mkdir(join(dataDir, "instances", name), { recursive: true });
    await saveUsage(join(dataDir, "instances", name), usageOf(bytes));
  };
  const open = new Map<string, InstanceUsage>();
  const asked: string[] = [];
  const hanging = new Map<string, Promise<InstanceUsage>>();
  const hang = (name: string) => {
    const { promise, resolve } = Promise.withResolvers<InstanceUsage>();
    hanging.set(name, promise);
    return (usage: InstanceUsage) => {
      hanging.delete(name);
      resolve(usage);
    };
  };
  const watch = createInstancesWatch({
    dataDir,
    list: () => names.map((name) => ({ name, settings: {} })),
    readOpen(name) {
      asked.push(name);
      const usage = open.get(name);
      return hanging.get(name) ?? (usage === undefined ? null : Promise.resolve(usage));
    },
    now: () => clock.now,
  });
  const bytesOf = async (name: string) =>
    (await watch.read()).find((instance) => instance.name === name)?.usage?.bytes;
  return { names, clock, write, open, asked, hang, watch, bytesOf };
}

test("of few instances every scrape reads the files, and of an open one its store", async (t) => {
  const { write, open, bytesOf } = await createWatch(t, 2);
  assert.equal(await bytesOf("person-0"), undefined);
  await write("person-0", 1);
  assert.equal(await bytesOf("person-0"), 1);
  await write("person-0", 2);
  assert.equal(await bytesOf("person-0"), 2);
  open.set("person-0", usageOf(3));
  assert.equal(await bytesOf("person-0"), 3);
});

test("of many instances the files are read every few minutes, and a closing one is known at once", async (t) => {
  const { clock, names, write, watch, bytesOf } = await createWatch(t, 300);
  await write("person-7", 1);
  assert.equal(await bytesOf("person-7"), 1);
  await write("person-7", 2);
  assert.equal(await bytesOf("person-7"), 1);
  watch.note("person-7", usageOf(4));
  assert.equal(await bytesOf("person-7"), 4);
  clock.now += 6 * 60_000;
  // The files are read in the background: the scrape itself does not wait.
  await bytesOf("person-7");
  for (let turn = 0; turn < 200 && (await bytesOf("person-7")) !== 2; turn++) {
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  assert.equal(await bytesOf("person-7"), 2);
  names.pop();
  assert.equal((await watch.read()).length, 299);
});

test(
  "an instance whose store hangs costs no value of the others, and is not asked again",
  { timeout: 10_000 },
  async (t) => {
    const { write, open, watch, bytesOf, hang, asked } = await createWatch(t, 3);
    await write("person-0", 1);
    open.set("person-1", usageOf(2));
    const respond = hang("person-0");
    await watch.read();
    assert.equal(await bytesOf("person-1"), 2);
    assert.equal(await bytesOf("person-0"), 1);
    assert.equal(asked.filter((name) => name === "person-0").length, 1);
    respond(usageOf(3));
    await new Promise(setImmediate);
    open.set("person-0", usageOf(4));
    assert.equal(await bytesOf("person-0"), 4);
  },
);
