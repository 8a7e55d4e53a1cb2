import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { fileURLToPath } from "node:url";
import {
  importFile,
  type FileImport,
  type FileResult,
  type FileProgress,
} from "../../../src/events/import/import-file.ts";
import { STORE_KINDS, type StoreKind } from "../../database/on-both-stores.ts";
import { createPlace } from "../store/on-both-stores.ts";
import { addAccount } from "../store/samples.ts";
import { listEntries, writeCalendar } from "./calendar-text.ts";
import { HOUR_MS, START } from "./instance.ts";

async function prepare(t: TestContext, kind: StoreKind = "SQLite") {
  const place = await createPlace(t, kind);
  const store = await place.open();
  const accountId = await addAccount(store, "ada");
  const clock = { now: START };
  return {
    place,
    store,
    accountId,
    run: (text: string, given: Partial<FileImport> = {}) => {
      clock.now += HOUR_MS;
      return importFile({
        store,
        accountId,
        bytes: Buffer.from(text),
        fileName: "school.ics",
        defaultTimeZone: "UTC",
        now: () => clock.now,
        ...given,
      });
    },
    stored: (sourceId: string) =>
      store.transaction(({ events }) => events.listSource(accountId, sourceId)),
  };
}

function imported(result: FileResult) {
  assert.ok(result.kind === "imported", JSON.stringify(result));
  return result;
}

for (const kind of STORE_KINDS) {
  test(`a large file is imported in parts, and the second time nothing changes (${kind})`, async (t) => {
    const { run, stored } = await prepare(t, kind);
    const text = writeCalendar(listEntries(6_000));
    const seen: FileProgress[] = [];
    const first = imported(await run(text, { onProgress: (progress) => seen.push(progress) }));
    assert.equal(first.summary.added, 6_000);
    assert.equal(first.feed.counts.kept, 6_000);
    const written = seen.flatMap((step) => (step.phase === "writing" ? [step.written] : []));
    assert.deepEqual(
      written,
      Array.from({ length: 6 }, (_, index) => (index + 1) * 1000),
    );
    assert.ok(seen.some(({ phase }) => phase === "reading"));
    const before = await stored(first.source.sourceId);
    assert.equal(before.length, 6_000);
    const second = imported(await run(text));
    assert.deepEqual(second.summary, { ...first.summary, added: 0, unchanged: 6_000 });
    assert.deepEqual(await stored(first.source.sourceId), before);
  });
}

test("events missing from a file are deleted only when it replaces the source", async (t) => {
  const { run, stored } = await prepare(t);
  const { source } = imported(await run(writeCalendar(listEntries(5))));
  const kept = imported(await run(writeCalendar(listEntries(2))));
  assert.deepEqual([kept.summary.deleted, kept.summary.held], [0, 3]);
  const replaced = imported(await run(writeCalendar(listEntries(2)), { replace: true }));
  assert.deepEqual([replaced.summary.deleted, replaced.summary.held], [3, 0]);
  const alive = (await stored(source.sourceId)).filter(({ deletedAt }) => deletedAt === null);
  assert.equal(alive.length, 2);
  const back = imported(await run(writeCalendar(listEntries(5))));
  assert.deepEqual([back.summary.added, back.summary.unchanged], [3, 2]);
  assert.equal((await stored(source.sourceId)).length, 5);
});

test("the name of a source is that of its file or the given one", async (t) => {
  const { run } = await prepare(t);
  const { source } = imported(await run(writeCalendar(listEntries(2))));
  assert.deepEqual([source.kind, source.name], ["file", "school.ics"]);
  const same = imported(
    await run(writeCalendar(listEntries(3)), {
      fileName: "download (1).ics",
      source: "school.ics",
    }),
  );
  assert.equal(same.source.sourceId, source.sourceId);
  assert.deepEqual([same.summary.added, same.summary.unchanged], [1, 2]);
});

test("ids and creation dates of a list are kept, and skipped entries are reported", async (t) => {
  const { run, stored } = await prepare(t);
  const events = [
    { id: "a", type: "exam", title: "One", date: "2026-10-01", created_at: "2026-01-02T03:04:05Z" },
    { id: "b", type: "exam", title: "Two", date: "2026-02-30" },
  ];
  const result = imported(await run(JSON.stringify({ events }), { fileName: "list.json" }));
  assert.deepEqual(result.summary.skipped, [{ what: "b", reason: "bad-date" }]);
  const [event] = await stored(result.source.sourceId);
  assert.deepEqual([event?.eventId, event?.createdAt], ["a", "2026-01-02T03:04:05Z"]);
  const table = "id;type;title;date\na;exam;Other;2026-10-02\n";
  const other = imported(await run(table, { fileName: "table.csv" }));
  assert.deepEqual(other.summary.skipped, [{ what: "a", reason: "id-taken" }]);
  assert.equal(other.summary.added, 0);
});

test("a file that cannot be read writes nothing", async (t) => {
  const { run, store, accountId } = await prepare(t);
  const result = await run("<html>Sign in</html>");
  assert.ok(result.kind === "failed");
  assert.equal(result.error.code, "html");
  const sources = await store.transaction(({ sources }) => sources.list(accountId));
  assert.deepEqual(sources, []);
});

for (const kind of STORE_KINDS) {
  test(`parallel imports of one file have the result of one (${kind})`, async (t) => {
    const { run, place, stored } = await prepare(t, kind);
    const text = writeCalendar(listEntries(2500));
    const other = await place.open();
    const results = await Promise.all([run(text), run(text, { store: other }), run(text)]);
    const { sourceId } = imported(results[0]).source;
    const events = await stored(sourceId);
    assert.equal(events.length, 2500);
    assert.equal(new Set(events.map(({ updatedAt }) => updatedAt)).size, 2500);
    const again = imported(await run(text));
    assert.deepEqual([again.summary.added, again.summary.unchanged], [0, 2500]);
  });
}

test("a killed import leaves complete transactions, and the next run completes it", async (t) => {
  const { run, place, accountId, stored } = await prepare(t);
  const text = writeCalendar(listEntries(20_000));
  const path = join(place.folder, "school.ics");
  await writeFile(path, text);
  const script = fileURLToPath(new URL("./import-and-report.ts", import.meta.url));
  const child = spawn(process.execPath, [script, place.store, place.dataDir, accountId, path], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  for await (const chunk of child.stdout) {
    if (String(chunk).includes('"writing"')) child.kill("SIGKILL");
  }
  if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
  assert.equal(child.signalCode, "SIGKILL");
  const result = imported(await run(text));
  const { added, unchanged } = result.summary;
  assert.ok(unchanged > 0 && added > 0, `${unchanged} were there, ${added} were not`);
  assert.equal(unchanged % 1000, 0);
  assert.equal(added + unchanged, 20_000);
  assert.equal((await stored(result.source.sourceId)).length, 20_000);
});
