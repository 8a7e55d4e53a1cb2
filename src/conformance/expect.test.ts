import assert from "node:assert/strict";
import { test } from "node:test";
import { ViolationError } from "./case.ts";
import { expectEach, expectHeader, expectSame, expectStatus, violate } from "./expect.ts";
import type { HttpResponse } from "./http.ts";

const ANSWER: HttpResponse = {
  asked: "GET /x",
  status: 404,
  header: (name) => (name === "A" ? "1" : undefined),
  body: Buffer.from("gone"),
};

const messageOf = (run: () => void): string => {
  try {
    run();
  } catch (error) {
    assert.ok(error instanceof ViolationError);
    return error.message;
  }
  return "";
};

test("a violation tells what was asked, expected and received", () => {
  assert.equal(
    messageOf(() => expectStatus(ANSWER, 200)),
    "GET /x: expected status 200, got status 404 with gone",
  );
  assert.equal(
    messageOf(() => expectHeader(ANSWER, "B", "2")),
    "GET /x: expected B: 2, got no B",
  );
});

test("what is as expected is silent", () => {
  expectStatus(ANSWER, 200, 404);
  expectHeader(ANSWER, "A", "1");
  expectHeader(ANSWER, "B", undefined);
  expectSame(ANSWER, "body", { a: [1, { b: 2 }] }, { a: [1, { b: 2 }] });
});

test("of two values the first difference is named with its place", () => {
  assert.equal(
    messageOf(() => expectSame(ANSWER, "the page", { a: [1, { b: 2 }] }, { a: [1, { b: 3 }] })),
    "GET /x: expected the page with a[1].b 3, got 2",
  );
  assert.equal(
    messageOf(() => expectSame(ANSWER, "the page", { a: 1, extra: true }, { a: 1 })),
    "GET /x: expected the page with extra nothing, got true",
  );
});

test("every item is checked, and all violations are reported", async () => {
  const checked: number[] = [];
  const run = expectEach([1, 2, 3, 4], (item) => {
    checked.push(item);
    if (item % 2 === 0) violate(`GET /${item}`, "odd", "even");
  });
  await assert.rejects(run, { message: /GET \/2: .*\nGET \/4: / });
  assert.deepEqual(checked, [1, 2, 3, 4]);
});
