import assert from "node:assert/strict";
import { test } from "node:test";
import { ConformanceError } from "./case.ts";
import { expectEach, expectHeader, expectSame, expectStatus, fail } from "./expect.ts";
import type { ReceivedResponse } from "./http.ts";

const RESPONSE: ReceivedResponse = {
  asked: "GET /x",
  status: 404,
  header: (name) => (name === "A" ? "1" : undefined),
  body: Buffer.from("gone"),
  text: () => "gone",
};

const messageOf = (run: () => void): string => {
  try {
    run();
  } catch (error) {
    assert.ok(error instanceof ConformanceError);
    return error.message;
  }
  return "";
};

test("a failure names the request, what was expected and what was received", () => {
  assert.equal(
    messageOf(() => expectStatus(RESPONSE, 200)),
    "GET /x: expected status 200, got status 404 with gone",
  );
  assert.equal(
    messageOf(() => expectHeader(RESPONSE, "B", "2")),
    "GET /x: expected B: 2, got no B",
  );
});

test("a response that meets the expectations throws nothing", () => {
  expectStatus(RESPONSE, 200, 404);
  expectHeader(RESPONSE, "A", "1");
  expectHeader(RESPONSE, "B", undefined);
  expectSame(RESPONSE, "body", { a: [1, { b: 2 }] }, { a: [1, { b: 2 }] });
});

test("the first difference of two values is named with its path", () => {
  assert.equal(
    messageOf(() => expectSame(RESPONSE, "the page", { a: [1, { b: 2 }] }, { a: [1, { b: 3 }] })),
    "GET /x: expected the page with a[1].b 3, got 2",
  );
  assert.equal(
    messageOf(() => expectSame(RESPONSE, "the page", { a: 1, extra: true }, { a: 1 })),
    "GET /x: expected the page with extra nothing, got true",
  );
});

test("every item is checked, and all failures are reported", async () => {
  const checked: number[] = [];
  const run = expectEach([1, 2, 3, 4], (item) => {
    checked.push(item);
    if (item % 2 === 0) fail(`GET /${item}`, "odd", "even");
  });
  await assert.rejects(run, { message: /GET \/2: .*\nGET \/4: / });
  assert.deepEqual(checked, [1, 2, 3, 4]);
});
