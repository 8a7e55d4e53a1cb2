import assert from "node:assert/strict";
import { test } from "node:test";
import { dateBefore } from "./sealed-week.ts";

test("a week across a clock change has seven days", (t) => {
  const zone = process.env["TZ"];
  t.after(() => {
    if (zone === undefined) delete process.env["TZ"];
    else process.env["TZ"] = zone;
  });
  process.env["TZ"] = "Europe/Berlin";
  const lateOnTheLongDay = Date.parse("2026-10-25T22:30:00Z");
  assert.equal(dateBefore(lateOnTheLongDay, 0), "2026-10-25");
  assert.equal(dateBefore(lateOnTheLongDay, 1), "2026-10-24");
});
