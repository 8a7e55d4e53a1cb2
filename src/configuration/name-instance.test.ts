import assert from "node:assert/strict";
import { test } from "node:test";
import { nameInstance } from "./name-instance.ts";

test("the commands of a hint are those of the instance", () => {
  for (const [before, after] of [
    [
      "run `trellis sync devices revoke --all`, then `trellis sync account password`",
      "run `trellis sync devices revoke --all --instance ada`, then `trellis sync account password --instance ada`",
    ],
    [
      "suspend it: `trellis sync instance suspend NAME`",
      "suspend it: `trellis sync instance suspend ada`",
    ],
    ["see `trellis sync instance list`", "see `trellis sync instance list`"],
    ["`trellis sync backup FILE --instance ada`", "`trellis sync backup FILE --instance ada`"],
    ["wait for other `trellis sync` commands", "wait for other `trellis sync` commands"],
    ["start `trellis serve`", "start `trellis serve`"],
  ] as const) {
    assert.equal(nameInstance(before, "ada"), after);
  }
});
