/** A publication at a later time: a draft until then, published by the first signing after it. */
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { nodeFiles } from "../../../src/release/catalog/file-port.ts";
import { createCatalogReader, readCatalog } from "../../../src/release/catalog/read-catalog.ts";
import { checkCatalog } from "../../../src/release/publishing/check-catalog.ts";
import { publishRelease } from "../../../src/release/publishing/publish-release.ts";
import { scheduleRelease } from "../../../src/release/publishing/scheduled-releases.ts";
import { signCatalog } from "../../../src/release/publishing/sign-catalog.ts";
import { createCatalogFixture } from "../../fixtures/catalog.ts";
import { runInside } from "../../fixtures/run-inside.ts";
import { ALL_FEEDS } from "../../../src/contract/release/feed-values.ts";

const HOUR = 3_600_000;
const noPassphrase = () => Promise.resolve(undefined);

async function prepare(t: TestContext) {
  const fixture = await createCatalogFixture({ releases: 2, drafts: 2, betaEvery: 0 });
  t.after(() => fixture.remove());
  const { folder, keysDir } = fixture;
  const start = Date.now();
  let now = start;
  const context = {
    folder,
    reader: createCatalogReader(folder),
    keysFolder: keysDir,
    files: nodeFiles,
    now: () => now,
    lockWaitMs: 0,
  };
  const at = new Date(start + HOUR).toISOString();
  const schedule = (version: string, rollout?: number, time = at) =>
    scheduleRelease(context, { version, at: time, rollout, allowsMismatch: false });
  return {
    context,
    at,
    schedule,
    waitHours: (hours: number) => void (now = start + hours * HOUR),
    sign: (ifOlderThanDays?: number) => signCatalog(context, { ifOlderThanDays }, noPassphrase),
    statuses: async () => {
      const read = await readCatalog(folder, now);
      assert.equal(read.kind, "loaded", JSON.stringify(read));
      if (read.kind !== "loaded") return {};
      const { releases } = read.catalog;
      return Object.fromEntries(releases.map(({ version, status }) => [version, status]));
    },
    signed: async () => {
      const read = await readCatalog(folder, now);
      const payload = read.kind === "loaded" ? read.manifest?.payload : undefined;
      return payload?.releases.map(({ version }) => version);
    },
  };
}

test("a scheduled release is a draft until its time, and the next signing publishes it", async (t) => {
  const { schedule, at, waitHours, sign, signed, statuses, context } = await prepare(t);
  const planned = await schedule("1.0.3");
  assert.equal(planned.kind, "done");
  await sign();
  assert.equal((await statuses())["1.0.3"], "draft");
  assert.deepEqual(await signed(), ["1.0.2", "1.0.1"]);
  waitHours(1);
  const result = await sign();
  assert.ok(result.kind === "done" && result.result.kind === "signed");
  assert.deepEqual(result.result.due.published, ["1.0.3"]);
  assert.deepEqual(await signed(), ["1.0.3", "1.0.2", "1.0.1"]);
  const release = JSON.parse(readFileSync(join(context.folder, "releases/1.0.3.json"), "utf8"));
  assert.equal(release.publishedAt, at);
  assert.equal("scheduled" in release, false);
});

test("a timer that finds the manifest recent enough signs when a release is due", async (t) => {
  const { schedule, waitHours, sign, signed } = await prepare(t);
  await schedule("1.0.3");
  const early = await sign(7);
  assert.ok(early.kind === "done" && early.result.kind === "fresh");
  waitHours(2);
  const due = await sign(7);
  assert.ok(due.kind === "done" && due.result.kind === "signed");
  assert.equal((await signed())?.[0], "1.0.3");
});

test("the next publication puts it in before its own release, with its rollout", async (t) => {
  const { schedule, waitHours, signed, context } = await prepare(t);
  await schedule("1.0.3", 25);
  waitHours(2);
  const result = await publishRelease(context, "1.0.4", undefined, noPassphrase, 50);
  assert.equal(result.kind, "done", JSON.stringify(result));
  assert.deepEqual(await signed(), ["1.0.4", "1.0.3", "1.0.2", "1.0.1"]);
  const read = await readCatalog(context.folder, context.now());
  assert.deepEqual(read.kind === "loaded" && read.manifest?.payload.rollouts, [
    { version: "1.0.4", percent: 50 },
    { version: "1.0.3", percent: 25 },
  ]);
});

test("a release that cannot be published any more is told, and stops no signing", async (t) => {
  const { schedule, waitHours, sign, signed, context } = await prepare(t);
  await schedule("1.0.3");
  await publishRelease(context, "1.0.4", undefined, noPassphrase);
  waitHours(2);
  const report = await checkCatalog(context.folder, context.now(), ALL_FEEDS);
  assert.match(report.warnings.join(), /1\.0\.3\.json cannot be published at .*1\.0\.3/);
  const result = await sign();
  assert.ok(result.kind === "done" && result.result.kind === "signed");
  assert.deepEqual(result.result.due.published, []);
  assert.equal(result.result.due.skipped[0]?.version, "1.0.3");
  assert.equal((await signed())?.[0], "1.0.4");
});

test("published by name before its time, it is published now", async (t) => {
  const { schedule, signed, context } = await prepare(t);
  await schedule("1.0.3");
  await publishRelease(context, "1.0.3", undefined, noPassphrase);
  assert.equal((await signed())?.[0], "1.0.3");
});

test("the command line schedules without a key, and check and list say so", async (t) => {
  const { context, at } = await prepare(t);
  const place = join(context.folder, "..");
  writeFileSync(join(place, "trellis.config.json"), '{ "release": {} }');
  const run = (...words: string[]) => runInside(place, ["release", ...words]);
  const scheduled = await run("publish", "1.0.3", "--at", at, "--yes");
  assert.equal(scheduled.code, 0, scheduled.stderr);
  assert.match(
    scheduled.stdout,
    /^Scheduled 1\.0\.3 \(build 3\) for .*\nUntil then it is a draft/m,
  );
  const checked = await run("check");
  const note = `Note: releases/1.0.3.json is scheduled: the first \`trellis release sign\` or \`publish\` after ${at} `;
  assert.ok(checked.stdout.includes(note), checked.stdout);
  assert.match((await run("list")).stdout, /^1\.0\.3 +3 +stable +draft \(from \d{4}-\d\d-\d\d\)/m);
  assert.match((await run("status")).stdout, /2 published, 2 drafts/);
});
