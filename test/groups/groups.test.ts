import assert from "node:assert/strict";
import { basename } from "node:path";
import { test } from "node:test";
import { findTests, GROUPS } from "./groups.ts";

test("every test is in one group, and every group has a process", () => {
  const grouped = Object.values(GROUPS).flatMap((places) => places.flatMap(findTests));
  const processes = findTests("test/groups").filter(
    (file) => file !== "test/groups/groups.test.ts",
  );
  const expected = ["src", "conformance", "examples", "test"]
    .flatMap(findTests)
    .filter((file) => !file.startsWith("test/groups/"));
  assert.deepEqual(grouped.toSorted(), expected.toSorted());
  assert.deepEqual(
    processes.map((file) => basename(file, ".test.ts")),
    Object.keys(GROUPS).toSorted(),
  );
});
