import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import Type from "typebox";
import { RELEASE_ROUTES } from "../contract/release/routes.ts";
import type { Route } from "../contract/route.ts";
import { createInputReader } from "./read-input.ts";

const readList = createInputReader(RELEASE_ROUTES.listReleases);
const readUpdate = createInputReader(RELEASE_ROUTES.checkForUpdate);
const readSelector = createInputReader(RELEASE_ROUTES.selectSmartDownload);
const invalid = (name: string, code: string) => ({ kind: "invalid-parameter", name, code });

test("an absent parameter has its default", () => {
  assert.deepEqual(readList([], ""), {
    kind: "input",
    input: { page: 1, limit: 20, channel: "stable" },
  });
});

for (const text of [
  "0",
  "-1",
  "+5",
  "05",
  "1.0",
  "1e2",
  "0x10",
  "%205",
  "5%20",
  "",
  "%",
  "%D9%A1",
  "1_000",
  "1n",
  "NaN",
  "Infinity",
  "100001",
  "9".repeat(17),
  "9".repeat(400),
]) {
  test(`page=${text.slice(0, 20)} is not a valid page`, () => {
    assert.deepEqual(readList([], `page=${text}`), invalid("page", "invalid_pagination"));
  });
}

test("a page without a value is not valid", () => {
  assert.deepEqual(readList([], "page"), invalid("page", "invalid_pagination"));
});

test("an integer has exactly one spelling", () => {
  fc.assert(
    fc.property(fc.string(), fc.integer({ min: 1, max: 100_000 }), (text, page) => {
      assert.deepEqual(readList([], `page=${page}`), {
        kind: "input",
        input: { page, limit: 20, channel: "stable" },
      });
      const isCanonical = /^[1-9][0-9]*$/.test(text) && Number(text) <= 100_000;
      const read = readList([], `page=${encodeURIComponent(text)}`);
      assert.equal(read.kind, isCanonical ? "input" : "invalid-parameter");
    }),
  );
});

test("a build is an integer of any length, read exactly", () => {
  const read = (build: string) => readUpdate(["linux"], `version=1.0.0&build=${build}`);
  for (const build of ["1", "9007199254740991", "9007199254740993", "9".repeat(4000)]) {
    const input = { platform: "linux", version: "1.0.0", build: BigInt(build), channel: "stable" };
    assert.deepEqual(read(build), { kind: "input", input }, build);
  }
  for (const build of ["0", "-1", "01", "1.0", "1e2", "1n", "0x1", ""]) {
    assert.deepEqual(read(build), invalid("build", "invalid_update_request"), build);
  }
});

test("a repeated parameter is invalid, even when its values agree", () => {
  assert.deepEqual(readList([], "page=1&page=1"), invalid("page", "invalid_pagination"));
  assert.deepEqual(
    readList([], "channel=beta&channel=beta"),
    invalid("channel", "invalid_channel"),
  );
  assert.deepEqual(readList([], "page=1&p%61ge=2"), invalid("page", "invalid_pagination"));
});

test("the order of checks is the contract's, whatever the order of the query", () => {
  assert.deepEqual(readList([], "channel=x&limit=x&page=x"), invalid("page", "invalid_pagination"));
  assert.deepEqual(readList([], "channel=x&limit=x"), invalid("limit", "invalid_pagination"));
  assert.deepEqual(
    readUpdate(["beos"], "channel=x"),
    invalid("platform", "invalid_update_request"),
  );
  assert.deepEqual(
    readUpdate(["linux"], "channel=x"),
    invalid("version", "invalid_update_request"),
  );
  assert.deepEqual(
    readUpdate(["linux"], "channel=x&version=1.0.0"),
    invalid("build", "invalid_update_request"),
  );
  assert.deepEqual(
    readUpdate(["linux"], "channel=x&version=1.0.0&build=1"),
    invalid("channel", "invalid_channel"),
  );
});

test("an invalid value of a parameter without an error code counts as absent", () => {
  for (const search of [
    "platform=beos&arch=",
    "platform=&arch=..",
    "platform=linux&platform=linux&arch=a&arch=b",
    "platform=%ff&arch=.",
    "platform=LINUX&arch=%",
  ]) {
    assert.deepEqual(
      readSelector([], search),
      { kind: "input", input: { channel: "stable" } },
      search,
    );
  }
});

test("an undeclared parameter is ignored, or an error on a strict route", () => {
  const search = "utm_source=mail&__proto__=1";
  assert.equal(readList([], search).kind, "input");
  const strict = createInputReader({
    ...RELEASE_ROUTES.listReleases,
    strictQuery: { unknown: "unknown_code", malformed: "malformed_code" },
  });
  assert.deepEqual(strict([], search), invalid("utm_source", "unknown_code"));
  assert.deepEqual(strict([], "page=2&__proto__=1"), invalid("__proto__", "unknown_code"));
  assert.deepEqual(strict([], "page=%zz"), invalid("page", "malformed_code"));
  assert.deepEqual(strict([], "%zz=1"), invalid("%zz=1", "malformed_code"));
});

test("path parameters are read by name, in the order they are declared", () => {
  const parameter = (pattern: string, code: string) => ({
    schema: Type.String({ pattern }),
    description: code,
    required: true,
    invalid: code,
  });
  const route: Route = {
    operationId: "x",
    method: "GET",
    origin: "api",
    path: "/{first}/{second}",
    summary: "x",
    params: { second: parameter("^2$", "bad_second"), first: parameter("^1$", "bad_first") },
    responses: {},
  };
  const read = createInputReader(route);
  assert.deepEqual(read(["1", "2"], ""), { kind: "input", input: { first: "1", second: "2" } });
  assert.deepEqual(read(["x", "x"], ""), invalid("second", "bad_second"));
  assert.deepEqual(read(["x", "2"], ""), invalid("first", "bad_first"));
});

test("on a raw route only the path parameters are checked", () => {
  const { listReleases } = RELEASE_ROUTES;
  const read = createInputReader({
    ...listReleases,
    path: "/{id}",
    params: {
      id: { schema: Type.String({ pattern: "^1$" }), description: "x", invalid: "bad_id" },
    },
    strictQuery: { unknown: "unknown_code", malformed: "malformed_code" },
    reads: "raw",
  });
  for (const search of ["", "page=x", "page=1&page=1", "page=%zz", "other=1"]) {
    assert.deepEqual(read(["1"], search), { kind: "input", input: { id: "1" } }, search);
  }
  assert.deepEqual(read(["2"], ""), invalid("id", "bad_id"));
});
