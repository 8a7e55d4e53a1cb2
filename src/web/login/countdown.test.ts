import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { formatWait, startCountdown } from "./countdown.ts";

test("a wait is formatted in words", () => {
  assert.equal(formatWait(1, "en"), "1 second");
  assert.equal(formatWait(15, "de"), "15 Sekunden");
  assert.equal(formatWait(60, "en"), "1 minute");
  assert.equal(formatWait(75, "de"), "1 Minute 15 Sekunden");
  assert.equal(formatWait(300, "en"), "5 minutes");
});

test("the countdown ticks every second and ends", (t) => {
  mock.timers.enable({ apis: ["setTimeout", "Date"] });
  t.after(() => mock.timers.reset());
  const ticks: (string | null)[] = [];
  startCountdown(3, "en", (text) => ticks.push(text));
  for (let second = 0; second < 5; second++) mock.timers.tick(1000);
  assert.deepEqual(ticks, ["3 seconds", "2 seconds", "1 second", null]);
});

test("a countdown that slept past its end ends at once", (t) => {
  mock.timers.enable({ apis: ["setTimeout", "Date"] });
  t.after(() => mock.timers.reset());
  const ticks: (string | null)[] = [];
  startCountdown(60, "en", (text) => ticks.push(text));
  mock.timers.setTime(Date.now() + 90_000);
  mock.timers.tick(1000);
  assert.deepEqual(ticks, ["1 minute", null]);
});
