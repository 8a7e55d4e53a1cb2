import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { boundMethod, boundPath, createLineWriter } from "./request-log.ts";

const entry = { requestId: "id-1", method: "GET", path: "/a", status: 200, durationMs: 0.25 };

function createWriter() {
  const written: string[] = [];
  const writer = createLineWriter((text) => void written.push(text));
  const lines = () => written.join("").split("\n").slice(0, -1);
  return { written, writer, lines };
}

test("a line has exactly the five fields", () => {
  const { writer, lines } = createWriter();
  writer.log({ ...entry, search: "?code=secret" } as typeof entry);
  writer.flush();
  assert.deepEqual(
    lines().map((line) => JSON.parse(line) as unknown),
    [entry],
  );
});

test("any path is one line that parses back unchanged", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (path) => {
      const { writer, lines } = createWriter();
      writer.log({ ...entry, path });
      writer.flush();
      assert.equal(lines().length, 1);
      assert.deepEqual(JSON.parse(lines()[0] ?? ""), { ...entry, path });
    }),
  );
});

test("lines are buffered for a moment and written together, in order", async () => {
  const { writer, written, lines } = createWriter();
  for (let status = 200; status < 210; status++) writer.log({ ...entry, status });
  assert.equal(written.length, 0);
  await new Promise((resolve) => setTimeout(resolve, 50));
  assert.equal(written.length, 1);
  const statuses = lines().map((line) => (JSON.parse(line) as { status?: number }).status);
  assert.deepEqual(statuses, [200, 201, 202, 203, 204, 205, 206, 207, 208, 209]);
});

test("an event is written at once, after the lines before it", () => {
  const { writer, written, lines } = createWriter();
  writer.log({ ...entry, status: 200 });
  writer.event("ready", { release: "http://127.0.0.1:1" });
  assert.equal(written.length, 2);
  assert.deepEqual(JSON.parse(lines()[1] ?? ""), { event: "ready", release: "http://127.0.0.1:1" });
});

test("a flush writes no line twice, and nothing when the buffer is empty", async () => {
  const { writer, written } = createWriter();
  writer.flush();
  writer.event("stopped");
  writer.flush();
  await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual(written, ['{"event":"stopped"}\n']);
});

test("an unknown method is logged as OTHER", () => {
  assert.equal(boundMethod("GET"), "GET");
  for (const method of ["get", "BREW", "", "X".repeat(5000), "PROPFIND"]) {
    assert.equal(boundMethod(method), "OTHER");
  }
});

test("a path is cut at 512 characters", () => {
  assert.equal(boundPath("/".repeat(512)), "/".repeat(512));
  assert.equal(boundPath("/".repeat(9000)), `${"/".repeat(512)}…`);
});
