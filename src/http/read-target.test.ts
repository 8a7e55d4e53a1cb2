import assert from "node:assert/strict";
import { test } from "node:test";
import { createRouteMatcher } from "./match-route.ts";
import { createTargetReader } from "./read-target.ts";

function createReader() {
  const calls: string[] = [];
  const bound = {
    read: (values: readonly string[], search: string) => {
      calls.push(`${values.join("|")}?${search}`);
      return { kind: "input" as const, input: { values, search } };
    },
  };
  const route = {
    operationId: "x",
    method: "GET",
    origin: "api",
    path: "/a/{b}/{c}",
    summary: "",
    answers: {},
  } as const;
  const reader = createTargetReader(createRouteMatcher([{ route, bound }]));
  return { bound, calls, reader };
}

test("a target is read once, and its input cannot be changed for the next request", () => {
  const { bound, calls, reader } = createReader();
  const first = reader("/a/1/2?x=1").read(bound);
  assert.equal(reader("/a/1/2?x=1").read(bound), first);
  assert.deepEqual(calls, ["1|2?x=1"]);
  assert.ok(first.kind === "input" && Object.isFrozen(first.input));
});

test("targets that decode alike are not taken for one another", () => {
  const { bound, calls, reader } = createReader();
  for (const target of ["/a/1%2F2/3", "/a/1/2%2F3", "/a/1/2%2f3", "/a/1/2/3"]) {
    const { match, read } = reader(target);
    if (match !== null) read(bound);
  }
  assert.deepEqual(calls, ["1/2|3?", "1|2/3?", "1|2/3?"]);
});

test("long targets are read anew, and many do not pile up", () => {
  const { bound, calls, reader } = createReader();
  const long = `/a/1/${"x".repeat(300)}`;
  reader(long).read(bound);
  reader(long).read(bound);
  assert.equal(calls.length, 2);
  const kept = reader("/a/kept/1");
  for (let index = 0; index < 2000; index++) reader(`/a/1/${index}`);
  assert.notEqual(reader("/a/kept/1"), kept);
});
