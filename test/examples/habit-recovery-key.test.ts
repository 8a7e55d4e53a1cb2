import assert from "node:assert/strict";
import { test } from "node:test";
import { chooseGroups, isSameGroup, toGroups } from "../../examples/habits/src/recovery-key.ts";

test("a recovery key has its groups in their order", () => {
  const groups = Array.from({ length: 14 }, (_, index) => `AB${String(index).padStart(2, "0")}`);
  assert.deepEqual(toGroups(groups.join("-")), groups);
  assert.deepEqual(toGroups(groups.join(" ")), groups);
});

test("two different groups are chosen, each of the 14 may be", () => {
  const chosen = new Set<number>();
  for (let first = 0; first < 14; first++) {
    for (let second = 0; second < 13; second++) {
      const values = [(first + 0.5) / 14, (second + 0.5) / 13];
      const [one, other] = chooseGroups(14, () => values.shift() ?? 0);
      assert.ok(one < other);
      chosen.add(one).add(other);
    }
  }
  assert.deepEqual(
    [...chosen].toSorted((one, other) => one - other),
    Array.from({ length: 14 }, (_, index) => index + 1),
  );
});

test("a typed group is compared as a recovery key is read", () => {
  assert.ok(isSameGroup(" o1l-a ", "011A"));
  assert.ok(!isSameGroup("011B", "011A"));
  assert.ok(!isSameGroup("", "011A"));
});
