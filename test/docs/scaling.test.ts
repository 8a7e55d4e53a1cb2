/** Figures that the scaling page needs and the benchmarks page lacks are an error, never a wrong number. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { drawBars } from "../../scripts/scaling/draw-bars.ts";
import { readFigures, readSentence } from "../../scripts/scaling/recorded-figures.ts";

const PAGE = `# Benchmarks

## Events

First table

| scenario | per second |
| -------- | ---------- |
| full     | 1,234      |

Second table

| scenario | per second | one/s |
| -------- | ---------- | ----- |
| full     | 99         | 88    |

The store has 864 MB

## Other
`;

test("a figure is found by section, table, row and column", () => {
  const find = readFigures(PAGE);
  assert.equal(find("Events", "First table", "full"), 1234);
  assert.equal(find("Events", "Second table", "full"), 99);
  assert.equal(find("Events", "Second table", "full", "one/s"), 88);
  assert.equal(readSentence(PAGE, "Events", /store has (\d+) MB/), 864);
});

test("a figure that is not recorded is named", () => {
  const find = readFigures(PAGE);
  assert.throws(() => find("Events", "Third table", "full"), /no table "Events", "Third table"/);
  assert.throws(() => find("Other", "First table", "full"), /no table "Other"/);
  assert.throws(() => find("Events", "First table", "half"), /no figure .*"half"/);
  assert.throws(() => find("Events", "First table", "full", "one/s"), /no figure .*"one\/s"/);
  assert.throws(() => readSentence(PAGE, "Other", /store has (\d+) MB/), /no .* in "Other"/);
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
