import assert from "node:assert/strict";
import { performance } from "node:perf_hooks";
import { test, type TestContext } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import { beginInTurn, inTurn, noteRequest } from "./in-turn.ts";

test("each turn of the event loop has one piece of work, in the order in which they came", async () => {
  const ran: number[] = [];
  const seen: number[] = [];
  const all = Promise.all([1, 2, 3].map((piece) => inTurn("device", () => ran.push(piece))));
  while (ran.length < 3) {
    await nextTurn();
    seen.push(ran.length);
  }
  await all;
  assert.deepEqual(ran, [1, 2, 3]);
  assert.ok(seen.every((count, index) => count <= index + 1));
});

test("a device waits for one piece of strangers, however many they have", async () => {
  const ran: string[] = [];
  const strangers = ["a", "b", "c"].map((name) => inTurn("stranger", () => ran.push(name)));
  await Promise.all([...strangers, inTurn("device", () => ran.push("device"))]);
  assert.deepEqual(ran.toSorted(), ["a", "b", "c", "device"]);
  assert.ok(ran.indexOf("device") <= 1, ran.join());
});

test("a piece has its turn until it ends, and a failed one is followed by the next", async () => {
  const first = Promise.withResolvers<string>();
  let hasSecondRun = false;
  const failed = inTurn("stranger", () => first.promise);
  const second = inTurn("stranger", () => (hasSecondRun = true));
  await nextTurn();
  await nextTurn();
  assert.equal(hasSecondRun, false);
  first.reject(new Error("no disk"));
  await assert.rejects(failed, /no disk/);
  await second;
});

test("a turn in which work is only begun does not wait for its end", async () => {
  const body = Promise.withResolvers<string>();
  const slow = beginInTurn("stranger", () => body.promise);
  assert.equal(await beginInTurn("stranger", () => "quick"), "quick");
  body.resolve("slow");
  assert.equal(await slow, "slow");
});

test("work that waits for something else is overtaken", async () => {
  const lock = Promise.withResolvers<string>();
  const locked = inTurn("stranger", () => lock.promise);
  assert.equal(await inTurn("stranger", () => "next"), "next");
  lock.resolve("unlocked");
  assert.equal(await locked, "unlocked");
});

test("while requests come, work that may wait gets a fifth of the time", async (t) => {
  const clock = mockTime(t);
  const startedAt: number[] = [];
  const piece = () => {
    startedAt.push(clock.now);
    clock.now += 10;
    noteRequest();
  };
  const all = Promise.all([inTurn("stranger", piece), inTurn("stranger", piece)]);
  await clock.run(() => startedAt.length === 2);
  await all;
  assert.deepEqual(startedAt, [0, 50]);
});

test("without requests it gets all of the time", async (t) => {
  const clock = mockTime(t);
  const startedAt: number[] = [];
  const piece = () => {
    startedAt.push(clock.now);
    clock.now += 10;
  };
  const all = Promise.all([inTurn("stranger", piece), inTurn("stranger", piece)]);
  await clock.run(() => startedAt.length === 2);
  await all;
  assert.deepEqual(startedAt, [0, 10]);
});

let mockedMs = performance.now();

/** A clock that only the pieces and the timers move, long after the requests of other tests. */
function mockTime(t: TestContext) {
  mockedMs += 60_000;
  const offset = mockedMs;
  const clock = {
    now: 0,
    async run(isDone: () => boolean) {
      for (let step = 0; step < 1000 && !isDone(); step++) {
        await nextTurn();
        const due = timers.toSorted((a, b) => a.at - b.at)[0];
        if (due === undefined || isDone()) continue;
        timers.splice(timers.indexOf(due), 1);
        clock.now = Math.max(clock.now, due.at);
        due.run();
      }
      assert.ok(isDone());
    },
  };
  const timers: { at: number; run(): void }[] = [];
  t.mock.method(performance, "now", () => offset + clock.now);
  t.mock.method(globalThis, "setTimeout", (run: () => void, ms: number) => {
    const timer = { at: clock.now + ms, run };
    timers.push(timer);
    return timer;
  });
  t.mock.method(globalThis, "clearTimeout", (timer: (typeof timers)[number]) => {
    const index = timers.indexOf(timer);
    if (index !== -1) timers.splice(index, 1);
  });
  return clock;
}
