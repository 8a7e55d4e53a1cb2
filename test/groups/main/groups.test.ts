import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { GROUPS, placeOf, TESTS } from "../groups.ts";

const { main, all } = GROUPS;
const PLACES = [main, all].map((groups) => Object.values(groups).flat());

test("every test is in one group, and every place has tests", () => {
  const used = TESTS.map((file) => placeOf(file) ?? `no group has ${file}`);
  assert.deepEqual([...new Set(used)].sort(), [...new Set(PLACES.flat())].sort());
  for (const places of PLACES) assert.equal(new Set(places).size, places.length);
});

test("the files with a main path are those that both loops run", () => {
  const [inMain = [], inAll = []] = PLACES;
  const divided = TESTS.filter((file) => readFileSync(file, "utf8").includes("mainPath("));
  const both = inMain.filter((place) => inAll.includes(place));
  assert.deepEqual(both.sort(), divided);
});

test("every group has a process", () => {
  const processes = globSync("*/*.test.ts", { cwd: "test/groups" });
  const groups = Object.entries(GROUPS).flatMap(([loop, names]) =>
    Object.keys(names).map((name) => `${loop}/${name}.test.ts`),
  );
  assert.deepEqual(processes.sort(), [...groups, "main/groups.test.ts"].sort());
});

const PRELOAD = join(import.meta.dirname, "../../fixtures/untracked-promises.ts");

for (const [what, source] of [
  ["is thrown in a timer", 'setTimeout(() => { throw new Error("lost") })'],
  ["rejects a promise", 'sleep(1).then(() => { throw new Error("lost") })'],
] as const) {
  test(`the runner follows no promise, and an error that ${what} fails the run`, () => {
    const file = `
      import { executionAsyncId } from "node:async_hooks";
      import { test } from "node:test";
      import { setTimeout as sleep } from "node:timers/promises";
      test("passes", async () => {
        await null;
        console.error("followed as", executionAsyncId());
        ${source};
        await sleep(50);
      });
    `;
    const { status, stderr } = spawnSync(
      process.execPath,
      ["--import", PRELOAD, "--input-type=module", "--eval", file],
      { encoding: "utf8" },
    );
    assert.match(stderr, /^followed as 0\nError: lost\n {4}at /);
    assert.equal(status, 1);
  });
}
