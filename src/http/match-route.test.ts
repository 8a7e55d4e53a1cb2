import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { RELEASE_CONTRACT } from "../contract/release/routes.ts";
import { MAX_TARGET_BYTES, type Method, type Route } from "../contract/route.ts";
import { createRouteMatcher, createTargetRouter } from "./match-route.ts";

const route = (path: string, method: Method = "GET"): Route => ({
  operationId: path,
  method,
  origin: "api",
  path,
  summary: path,
  responses: {},
});

function createMatch(routes: readonly Route[]) {
  const match = createRouteMatcher(
    routes.map((item) => ({ route: item, bound: item.operationId })),
  );
  return (path: string) => {
    const found = match(path);
    return found === null || found === "malformed"
      ? found
      : { name: found.byMethod.values().next().value, values: found.values };
  };
}

const apiRoutes = RELEASE_CONTRACT.routes.filter(({ origin }) => origin === "api");
const match = createMatch(apiRoutes);

test("a literal path goes before a parameter, whatever the order of the table", () => {
  for (const paths of [
    ["/r/latest", "/r/{version}"],
    ["/r/{version}", "/r/latest"],
  ]) {
    const matchTwo = createMatch(paths.map((path) => route(path)));
    assert.deepEqual(matchTwo("/r/latest"), { name: "/r/latest", values: [] });
    assert.deepEqual(matchTwo("/r/%6Catest"), { name: "/r/latest", values: [] });
    assert.deepEqual(matchTwo("/r/newest"), { name: "/r/{version}", values: ["newest"] });
  }
});

test("several methods are bound to one path", () => {
  const matchBoth = createRouteMatcher([
    { route: route("/device"), bound: 1 },
    { route: route("/device", "DELETE"), bound: 2 },
  ]);
  const found = matchBoth("/device");
  assert.ok(found !== null && found !== "malformed");
  assert.deepEqual(
    [...found.byMethod],
    [
      ["GET", 1],
      ["DELETE", 2],
    ],
  );
});

test("values are decoded, in the order of the path", () => {
  assert.deepEqual(match("/api/v1/download/linux/x%2F64"), {
    name: "downloadForArchitecture",
    values: ["linux", "x/64"],
  });
});

for (const path of [
  "/",
  "",
  "*",
  "/api/v1/releases/",
  "/api/v1//releases",
  "//api/v1/releases",
  "/API/v1/releases",
  "/api/v1/Releases",
  "/api/v1/releases/1.0.0/downloads/",
  "/api/v1/releases/1.0.0/downloads/x",
  "/api/v1/releases/1.0.0/notes",
  "/api/v1/releases/..",
  "/api/v1/../v1/releases",
  "/api/v1/./releases",
  "/api/v1%2Freleases",
  "/api%2Fv1/releases",
  "/api/v1/releases%2F1.0.0",
  "/api/v1/update",
  "/api/v1/download",
  "/health ",
  "/health%20",
  "/health%00",
  "/health;a=1",
]) {
  test(`${JSON.stringify(path)} matches no route`, () => assert.equal(match(path), null));
}

test("a broken escape anywhere in the path is malformed", () => {
  for (const path of ["/%zz", "/api/v1/releases/%", "/%ff/health"]) {
    assert.equal(match(path), "malformed");
  }
});

test("a path matches exactly the routes of the table", () => {
  const words = ["api", "v1", "releases", "latest", "downloads", "manifest", "update", "download"];
  const part = fc.oneof(fc.constantFrom(...words, "health", "linux", "1.0.0"), fc.string());
  const isFit = (pattern: string, segments: readonly string[]) => {
    const parts = pattern.slice(1).split("/");
    return (
      parts.length === segments.length &&
      parts.every((item, index) => item.startsWith("{") || item === segments[index])
    );
  };
  fc.assert(
    fc.property(fc.array(part, { minLength: 1, maxLength: 6 }), (segments) => {
      const found = match(segments.map((item) => `/${encodeURIComponent(item)}`).join(""));
      const isNothing = segments.some((item) => ["", ".", ".."].includes(item));
      const fitting = isNothing ? [] : apiRoutes.filter(({ path }) => isFit(path, segments));
      const literal = fitting.find(({ path }) => !path.includes("{"));
      const expected = (literal ?? fitting[0])?.operationId;
      assert.equal(found === null || found === "malformed" ? undefined : found.name, expected);
    }),
    { numRuns: 500 },
  );
});

function createRouter() {
  const calls: string[] = [];
  const bound = {
    readInput: (values: readonly string[], search: string) => {
      calls.push(`${values.join("|")}?${search}`);
      return { kind: "input" as const, input: { values, search } };
    },
  };
  const router = createTargetRouter(createRouteMatcher([{ route: route("/a/{b}/{c}"), bound }]));
  const readInput = (target: string) => {
    const { routes } = router(target);
    return "kind" in routes ? routes : routes.get("GET")?.input;
  };
  return { calls, router, readInput };
}

test("a target is read once, and its input cannot be changed for the next request", () => {
  const { calls, readInput } = createRouter();
  const first = readInput("/a/1/2?x=1");
  assert.equal(readInput("/a/1/2?x=1"), first);
  assert.deepEqual(calls, ["1|2?x=1"]);
  assert.ok(first?.kind === "input" && Object.isFrozen(first.input));
});

test("targets that decode alike are not taken for one another", () => {
  const { calls, readInput } = createRouter();
  for (const target of ["/a/1%2F2/3", "/a/1/2%2F3", "/a/1/2%2f3", "/a/1/2/3"]) readInput(target);
  assert.deepEqual(calls, ["1/2|3?", "1|2/3?", "1|2/3?"]);
});

test("long targets are not cached, and the cache is bounded", () => {
  const { calls, router, readInput } = createRouter();
  const long = `/a/1/${"x".repeat(300)}`;
  readInput(long);
  readInput(long);
  assert.equal(calls.length, 2);
  const cached = router("/a/cached/1");
  for (let index = 0; index < 2000; index++) router(`/a/1/${index}`);
  assert.notEqual(router("/a/cached/1"), cached);
});

test("a route may take longer targets than the others", () => {
  const bound = { readInput: () => ({ kind: "input" as const, input: {} }) };
  const bindings = [
    { route: { ...route("/long"), maxTargetBytes: 10_000 }, bound },
    { route: route("/usual"), bound },
  ];
  const router = createTargetRouter(createRouteMatcher(bindings));
  const isTaken = (path: string, length: number) =>
    !("kind" in router(`${path}?`.padEnd(length, "x")).routes);
  assert.deepEqual([isTaken("/long", 10_000), isTaken("/long", 10_001)], [true, false]);
  assert.deepEqual(
    [isTaken("/usual", MAX_TARGET_BYTES), isTaken("/usual", MAX_TARGET_BYTES + 1)],
    [true, false],
  );
  for (const path of ["/unknown", "/%zz"]) {
    const { routes } = router(`${path}?`.padEnd(9_000, "x"));
    assert.deepEqual(routes, { kind: "target-too-long" });
  }
});
