import assert from "node:assert/strict";
import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { test, type TestContext } from "node:test";
import { createCatalogFixture } from "../../../test/fixtures/catalog.ts";
import { watchCatalog } from "./watch-catalog.ts";

async function watched(t: TestContext) {
  const fixture = await createCatalogFixture({ releases: 2 });
  let calls = 0;
  // Events of the fixture's own making arrive late.
  await setTimeout(50);
  const watch = watchCatalog(fixture.folder, () => void calls++);
  t.after(() => {
    watch.close();
    return fixture.remove();
  });
  const changed = async (within = 5000) => {
    const before = calls;
    const until = performance.now() + within;
    const isCalled = () => calls > before;
    while (!isCalled() && performance.now() < until) await setTimeout(10);
    return isCalled();
  };
  return { folder: fixture.folder, watch, changed, calls: () => calls };
}

test("a change of any file is reported, a burst of changes once", async (t) => {
  const { folder, changed, calls } = await watched(t);
  for (let index = 0; index < 20; index++) {
    writeFileSync(join(folder, "catalog.json"), "{}");
    writeFileSync(join(folder, "releases", `3.0.${index}.json`), "{}");
  }
  assert.equal(await changed(), true);
  await setTimeout(300);
  assert.equal(calls(), 1);
  writeFileSync(join(folder, "releases", "3.0.1.json"), "{ }");
  assert.equal(await changed(), true);
  writeFileSync(join(folder, ".transaction.json"), "{}");
  assert.equal(await changed(), true);
});

test("the lock and temporary files are not reported", async (t) => {
  const { folder, changed } = await watched(t);
  writeFileSync(join(folder, ".lock"), "");
  writeFileSync(join(folder, ".catalog.json.tmp"), "");
  assert.equal(await changed(500), false);
});

test("a folder that is removed for a moment, or replaced, is watched again", async (t) => {
  const { folder, changed } = await watched(t);
  renameSync(folder, `${folder}-old`);
  assert.equal(await changed(), true);
  mkdirSync(join(folder, "releases"), { recursive: true });
  writeFileSync(join(folder, "catalog.json"), "{}");
  assert.equal(await changed(), true);
  // The new folder itself is watched by now, so this change needs no poll.
  await setTimeout(2500);
  writeFileSync(join(folder, "releases", "1.0.1.json"), "{}");
  assert.equal(await changed(1000), true);
  rmSync(`${folder}-old`, { recursive: true });
});

test("after close nothing is reported", async (t) => {
  const { folder, watch, changed } = await watched(t);
  writeFileSync(join(folder, "catalog.json"), "{}");
  watch.close();
  assert.equal(await changed(500), false);
});
