import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { StorageUnavailableError } from "./database.ts";
import { createStorageMonitor, type StorageNotice } from "./storage-monitor.ts";

function createMonitor(t: TestContext) {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const notices: StorageNotice[] = [];
  const state = { isWritable: false, probes: 0 };
  const monitor = createStorageMonitor({
    async probe() {
      state.probes++;
      if (!state.isWritable) throw new StorageUnavailableError("the disk is full");
    },
    onNotice: (notice) => notices.push(notice),
    probeMs: 1000,
  });
  const pass = async (seconds: number) => {
    for (let second = 0; second < seconds; second++) {
      t.mock.timers.tick(1000);
      for (let turn = 0; turn < 5; turn++) await Promise.resolve();
    }
  };
  const fail = () => monitor.reportFailure(new StorageUnavailableError("the disk is full"));
  return { monitor, notices, state, pass, fail };
}

test("an outage is told once when it begins and once when it ends", async (t) => {
  const { notices, state, pass, fail } = createMonitor(t);
  for (let request = 0; request < 4; request++) fail();
  await pass(5);
  const begin = {
    kind: "storage-unavailable",
    reason: "The store is not available: the disk is full",
  };
  assert.deepEqual(notices, [begin]);
  state.isWritable = true;
  await pass(3);
  assert.equal(notices.length, 2);
  const [, end] = notices;
  assert.ok(end?.kind === "storage-available");
  assert.equal(end.failures, 4);
  const { probes } = state;
  await pass(10);
  assert.equal(state.probes, probes, "it probes only during an outage");
  fail();
  assert.deepEqual(notices.slice(2), [begin]);
});

test("an outage goes on while requests fail, although the probe fits on the disk", async (t) => {
  const { notices, state, pass, fail } = createMonitor(t);
  state.isWritable = true;
  for (let round = 0; round < 5; round++) {
    fail();
    await pass(2);
  }
  assert.equal(notices.length, 1);
  await pass(2);
  assert.deepEqual(
    notices.map(({ kind }) => kind),
    ["storage-unavailable", "storage-available"],
  );
});

test("a task that is due again later tolerates an unavailable store, and no other error", async (t) => {
  const { monitor, notices } = createMonitor(t);
  await monitor.tolerate(async () => {
    throw new StorageUnavailableError("it is locked");
  });
  assert.equal(notices.length, 1);
  const broken = monitor.tolerate(async () => {
    throw new TypeError("a bug");
  });
  await assert.rejects(broken, TypeError);
});

test("a store that takes the probe is not ready until the outage of larger writes is over", async (t) => {
  const { monitor, state, pass, fail } = createMonitor(t);
  state.isWritable = true;
  await monitor.checkReady();
  fail();
  await assert.rejects(monitor.checkReady(), StorageUnavailableError);
  await pass(3);
  await monitor.checkReady();
  state.isWritable = false;
  await assert.rejects(monitor.checkReady());
});

test("a closed monitor neither probes nor tells", async (t) => {
  const { monitor, notices, state, pass, fail } = createMonitor(t);
  fail();
  monitor.close();
  state.isWritable = true;
  await pass(5);
  assert.equal(state.probes, 0);
  assert.equal(notices.length, 1);
});

test("a listener that fails changes nothing for the task", () => {
  const monitor = createStorageMonitor({
    probe: async () => {},
    onNotice: () => {
      throw new Error("The log is broken");
    },
  });
  monitor.reportFailure(new StorageUnavailableError("it is locked"));
  monitor.close();
});

test("what fails after the monitor was closed is no outage", async (t) => {
  const { monitor, notices, state, pass, fail } = createMonitor(t);
  monitor.close();
  fail();
  await pass(5);
  assert.deepEqual({ notices, probes: state.probes }, { notices: [], probes: 0 });
});
