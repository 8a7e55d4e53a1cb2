import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { importEvents } from "./import-events.ts";
import { toLocalDate } from "./to-local-date.ts";

function travelTo(t: TestContext, zone: string) {
  const before = process.env["TZ"];
  process.env["TZ"] = zone;
  t.after(() => {
    if (before === undefined) delete process.env["TZ"];
    else process.env["TZ"] = before;
  });
}

const event = {
  id: "e1",
  type: "exam",
  subject_name: null,
  title: null,
  date: "2026-08-20T22:30:00Z",
  created_at: null,
};

for (const [zone, day] of [
  ["Europe/Berlin", "2026-08-21"],
  ["UTC", "2026-08-20"],
  ["Pacific/Kiritimati", "2026-08-21"],
  ["America/Los_Angeles", "2026-08-20"],
] as const) {
  test(`an instant falls on ${day} in ${zone}`, (t) => {
    travelTo(t, zone);
    const { imported } = importEvents([event], [], { serviceName: "My planner" });
    assert.equal(imported[0]?.source.occursOn, day);
  });
}

test("a day of long ago has four digits for its year", () => {
  assert.equal(toLocalDate(new Date("0033-04-03T12:00:00Z").getTime()), "0033-04-03");
});

test("an app can give its own time zone", () => {
  const options = { serviceName: "My planner", toLocalDate: () => "2026-01-02" };
  assert.equal(importEvents([event], [], options).imported[0]?.source.occursOn, "2026-01-02");
});

test("a service without a name is the app's mistake", () => {
  assert.throws(() => importEvents([], [], { serviceName: " " }), /serviceName is empty/);
});
