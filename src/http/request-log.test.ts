import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { anyCodePoint } from "../../test/fixtures/any-code-point.ts";
import { boundMethod, createLineWriter, toLoggedPath } from "./request-log.ts";

test("an unknown method is logged as OTHER", () => {
  assert.equal(boundMethod("GET"), "GET");
  for (const method of ["get", "BREW", "", "X".repeat(5000), "PROPFIND"]) {
    assert.equal(boundMethod(method), "OTHER");
  }
});

test("a path is cut at 512 characters", () => {
  assert.equal(toLoggedPath("/".repeat(512)).text, "/".repeat(512));
  assert.equal(toLoggedPath("/".repeat(9000)).text, `${"/".repeat(512)}…`);
  assert.equal(toLoggedPath("/nope#access_token=secret").text, "/nope");
  assert.equal(toLoggedPath("ftp://user:secret@a/nope").text, "ftp://a/nope");
  assert.equal(toLoggedPath("/users/me@example.com").text, "/users/me@example.com");
});

const fields = { requestId: "id-1", method: "GET", path: "/a", status: 200, durationMs: 0.25 };
const line = { ...fields, path: toLoggedPath(fields.path), endedAt: 5000.25 };
const TIME = "2026-08-21T10:15:30.004Z";
const written = { time: TIME, level: "info", ...fields };

function createWriter() {
  const texts: string[] = [];
  const counts: number[] = [];
  const clock = { now: Date.parse(TIME), elapsed: 5000.25 };
  const writer = createLineWriter(
    (text, count) => {
      texts.push(text);
      counts.push(count);
    },
    { now: () => clock.now, elapsed: () => clock.elapsed },
  );
  const lines = () =>
    texts
      .join("")
      .split("\n")
      .slice(0, -1)
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  return { texts, counts, clock, writer, lines };
}

test("a line has time, level and exactly the five fields", () => {
  const { writer, texts, lines } = createWriter();
  writer.request({ ...line, search: "?code=secret" } as typeof line, undefined);
  writer.flush();
  assert.deepEqual(lines(), [written]);
  assert.equal(texts.join(""), `${JSON.stringify(written)}\n`);
});

test("the line of an error has its public code, and the level of a failure of the service", () => {
  const { writer, lines } = createWriter();
  writer.request({ ...line, status: 404 }, "not_found");
  writer.request({ ...line, status: 503 }, "storage_unavailable");
  writer.request({ ...line, status: 507 }, "quota_exceeded");
  writer.flush();
  assert.deepEqual(lines(), [
    { ...written, status: 404, code: "not_found" },
    { ...written, status: 503, level: "error", code: "storage_unavailable" },
    { ...written, status: 507, level: "warn", code: "quota_exceeded" },
  ]);
});

test("each line names the instance that made its response", () => {
  const { writer, lines } = createWriter();
  for (const instance of ["ada", "bob", undefined, "ada"]) {
    writer.request(line, undefined, instance);
  }
  writer.flush();
  assert.deepEqual(
    lines().map(({ instance }) => instance),
    ["ada", "bob", undefined, "ada"],
  );
});

test("a line has the time of its request, not of its writing", () => {
  const { writer, clock, lines } = createWriter();
  writer.request(line, undefined);
  clock.now += 6;
  clock.elapsed += 6;
  writer.request({ ...line, endedAt: clock.elapsed }, undefined);
  clock.now += 60_000;
  clock.elapsed += 60_000;
  writer.flush();
  assert.deepEqual(
    lines().map(({ time }) => time),
    [TIME, "2026-08-21T10:15:30.010Z"],
  );
});

test("a clock that was set, or a machine that slept, is noticed by the next lines", () => {
  const { writer, clock, lines } = createWriter();
  writer.request(line, undefined);
  writer.flush();
  clock.now += 3_600_000;
  clock.elapsed += 1;
  writer.request({ ...line, endedAt: clock.elapsed }, undefined);
  writer.flush();
  assert.equal(lines()[1]?.["time"], "2026-08-21T11:15:30.004Z");
});

test("any path is one line that parses back unchanged", () => {
  fc.assert(
    fc.property(fc.string({ unit: anyCodePoint }), (path) => {
      const { writer, lines } = createWriter();
      writer.request({ ...line, path: toLoggedPath(path) }, undefined);
      writer.flush();
      assert.deepEqual(lines(), [{ ...written, path }]);
    }),
  );
});

test("lines of requests that arrive together are written together, in order", async () => {
  const { writer, texts, counts, lines } = createWriter();
  for (let status = 200; status < 210; status++) writer.request({ ...line, status }, undefined);
  assert.equal(texts.length, 0);
  await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual(counts, [10]);
  assert.deepEqual(
    lines().map(({ status }) => status),
    [200, 201, 202, 203, 204, 205, 206, 207, 208, 209],
  );
});

test("an event is written at once, after the lines before it, and begins with its name", () => {
  const { writer, texts, counts, lines } = createWriter();
  writer.request({ ...line, status: 200 }, undefined);
  writer.event("ready", { release: "http://127.0.0.1:1" });
  writer.event("storage_unavailable", {}, "error");
  assert.deepEqual(counts, [1, 1, 1]);
  assert.ok(texts[1]?.startsWith('{"event":"ready",'));
  assert.deepEqual(lines().slice(1), [
    { event: "ready", time: TIME, level: "info", release: "http://127.0.0.1:1" },
    { event: "storage_unavailable", time: TIME, level: "error" },
  ]);
});

test("a flush writes no line twice, and nothing when the buffer is empty", async () => {
  const { writer, texts } = createWriter();
  writer.flush();
  writer.event("stopped");
  writer.flush();
  await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual(texts, [`{"event":"stopped","time":"${TIME}","level":"info"}\n`]);
});

test("a moment with many requests is more than one write, so that a log without a reader is noticed", (t) => {
  t.mock.timers.enable({ apis: ["setImmediate"] });
  const { writer, texts, counts } = createWriter();
  for (let round = 0; round < 4000; round++) writer.request(line, undefined);
  t.mock.timers.tick(0);
  assert.ok(Math.max(...texts.map((text) => text.length)) < 65 * 1024);
  assert.equal(
    counts.reduce((sum, count) => sum + count),
    4000,
  );
});
