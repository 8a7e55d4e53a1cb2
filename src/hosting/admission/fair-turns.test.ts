import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { createFairTurns, type EndTurn, type FairTurns } from "./fair-turns.ts";

/** A process whose clock only moves when the test lets a turn take its time. */
function createProcess(t: TestContext, atOnce = 1) {
  t.mock.timers.enable({ apis: ["setTimeout", "setImmediate"] });
  const clock = { now: 0 };
  const turns = createFairTurns({ atOnce, now: () => clock.now });
  const order: string[] = [];
  /** Lets the event loop turn, with all that waits for nothing else. */
  async function settle(): Promise<void> {
    for (let loop = 0; loop < 20; loop++) {
      t.mock.timers.tick(0);
      for (let step = 0; step < 5; step++) await Promise.resolve();
    }
  }
  async function pass(milliseconds: number): Promise<void> {
    clock.now += milliseconds;
    t.mock.timers.tick(milliseconds);
    await settle();
  }
  async function run(name: string, milliseconds: number, label = name): Promise<void> {
    const end = await turns.take(name);
    order.push(label);
    // What runs in this thread lets nothing else run meanwhile.
    clock.now += milliseconds;
    end?.();
  }
  async function runNow(name: string, milliseconds: number): Promise<void> {
    const ran = run(name, milliseconds);
    await settle();
    await ran;
  }
  return { turns, order, settle, pass, run, runNow };
}

function expectTurn(turn: ReturnType<FairTurns["take"]>): EndTurn {
  assert.ok(typeof turn === "function", "the turn is not free");
  return turn;
}

test("a turn that is free is taken at once", async (t) => {
  const { turns, settle } = createProcess(t);
  for (const name of ["ada", "bob", "ada"]) {
    expectTurn(turns.take(name))();
    await settle();
  }
});

test("one loud line slows itself: others that wait have their turns between its own", async (t) => {
  const { run, order, settle } = createProcess(t);
  const work = Array.from({ length: 6 }, (_, index) => run("loud", 10, `loud ${index}`));
  work.push(run("ada", 1), run("bob", 1));
  await settle();
  await Promise.all(work);
  assert.deepEqual(order.slice(0, 4), ["loud 0", "ada", "bob", "loud 1"]);
  assert.equal(order.length, 8);
});

test("lines that wait are served in a round when their work is alike", async (t) => {
  const { run, order, settle } = createProcess(t);
  const names = ["ada", "bob", "cleo"];
  const work = names.flatMap((name) => [run(name, 1), run(name, 1)]);
  for (let loop = 0; loop < 10; loop++) await settle();
  await Promise.all(work);
  assert.deepEqual(order, [...names, ...names]);
});

test("a device that asks page after page goes before a loud line, until it has used as much", async (t) => {
  const { run, runNow, order, pass } = createProcess(t);
  await runNow("ada", 1);
  await pass(0.5);
  await runNow("ada", 1);
  const loud = Array.from({ length: 20 }, () => run("loud", 10));
  for (let page = 0; page < 40; page++) {
    await pass(0.5);
    await runNow("ada", 1);
  }
  const turnsOf = (name: string) => order.filter((ran) => ran === name).length;
  assert.equal(turnsOf("ada"), 42);
  assert.ok(turnsOf("loud") >= 1, "the loud line goes on");
  assert.ok(turnsOf("loud") <= 4, `the loud line had ${turnsOf("loud")} turns`);
  for (let loop = 0; loop < 40; loop++) await pass(100);
  await Promise.all(loud);
});

test("a line that keeps a turn by coming soon pays for the time in which no other works", async (t) => {
  const { run, runNow, order, pass } = createProcess(t);
  await runNow("ada", 0.1);
  await pass(1);
  await runNow("ada", 0.1);
  const pushes = Array.from({ length: 4 }, () => run("pusher", 10));
  // It comes always just before its reservation ends, and does nearly nothing.
  for (let beat = 0; beat < 30; beat++) {
    await pass(7.9);
    await runNow("ada", 0.1);
  }
  assert.equal(order.filter((name) => name === "pusher").length, 4);
  await Promise.all(pushes);
});

test("a line may let so many requests wait, and the others are not affected", async (t) => {
  const { turns, settle } = createProcess(t);
  const end = expectTurn(turns.take("loud", 2));
  const waiting = [turns.take("loud", 2), turns.take("loud", 2)];
  assert.equal(turns.take("loud", 2), null);
  const other = turns.take("ada", 2);
  assert.ok(other instanceof Promise);
  const ended = [...waiting, other].map(async (turn) => (await turn)?.());
  end();
  await settle();
  await Promise.all(ended);
});

test("turns that wait for something else keep no other line waiting, and their own when they are many", async (t) => {
  const { turns, pass, order, run } = createProcess(t);
  const ends = [expectTurn(turns.take("locked"))];
  for (let overdue = 1; overdue < 8; overdue++) {
    const next = turns.take("locked");
    await pass(50);
    ends.push((await next) ?? assert.fail("The line may let it wait"));
  }
  const own = run("locked", 1);
  const other = run("ada", 1);
  await pass(49);
  assert.deepEqual(order, []);
  await pass(1);
  await other;
  assert.deepEqual(order, ["ada"]);
  for (const end of ends) end();
  await pass(0);
  await own;
  assert.deepEqual(order, ["ada", "locked"]);
});
