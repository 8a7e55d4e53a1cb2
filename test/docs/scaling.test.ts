/** Figures that a page needs and no recorded run has are an error, never a wrong number. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { findFigure, findInText, parseRecordedRun } from "../../scripts/recorded-run.ts";
import { drawBars } from "../../scripts/scaling/draw-bars.ts";

const RUN = parseRecordedRun(
  "events",
  `# Events

First table

| scenario | per second |
| -------- | ---------- |
| full     | 1,234      |

Second table

| scenario | per second | one/s |
| -------- | ---------- | ----- |
| full     | 99         | 88    |

The store has 864 MB
`,
);

test("a figure is found by table, row and column", () => {
  assert.equal(findFigure(RUN, "First table", "full"), 1234);
  assert.equal(findFigure(RUN, "Second table", "full"), 99);
  assert.equal(findFigure(RUN, "Second table", "full", "one/s"), 88);
  assert.equal(findInText(RUN, /store has (\d+) MB/), 864);
});

test("a figure that is not recorded is named", () => {
  assert.throws(
    () => findFigure(RUN, "Third table", "full"),
    /"events" has no table "Third table"/,
  );
  assert.throws(() => findFigure(RUN, "First table", "half"), /no "per second" of "half"/);
  assert.throws(() => findFigure(RUN, "First table", "full", "one/s"), /no "one\/s" of "full"/);
  assert.throws(() => findInText(RUN, /store has (\d+) GB/), /"events" has no /);
});

test("the longest bar has the greatest value, and texts are escaped", () => {
  const svg = drawBars("A < B", "per second", [
    { label: "one", value: 50 },
    { label: "two", value: 1000 },
  ]);
  assert.deepEqual(
    [...svg.matchAll(/width="(\d+)" height="22"/g)].map(([, width]) => width),
    ["17", "330"],
  );
  assert.match(svg, />1,000</);
  assert.match(svg, /<title>A &lt; B<\/title>/);
});
