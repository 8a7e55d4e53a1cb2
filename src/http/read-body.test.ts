import assert from "node:assert/strict";
import { test } from "node:test";
import { BodyBudgetError, createBodyBudget, readJsonBody, readText } from "./read-body.ts";
import type { RawRequest } from "./request.ts";

const rules = { mediaType: "application/json", maxBytes: 8 };

function source(
  headers: Readonly<Record<string, string>>,
  chunks: readonly (string | Uint8Array | Error)[] = [],
) {
  const state = { chunksRead: 0 };
  return {
    state,
    header: (name: string) => headers[name] ?? null,
    async *body() {
      for (const chunk of chunks) {
        if (chunk instanceof Error) throw chunk;
        state.chunksRead++;
        yield typeof chunk === "string" ? Buffer.from(chunk) : chunk;
      }
    },
  };
}

const json = { "content-type": "application/json" };

test("a body within its limits is read whole, in any number of chunks", async () => {
  assert.deepEqual(await readJsonBody(source(json, ['{"a', '":1}']), rules), {
    kind: "json",
    text: '{"a":1}',
    value: { a: 1 },
  });
  // A character may be split between chunks.
  const umlaut = Buffer.from('"ä"');
  assert.deepEqual(
    await readJsonBody(source(json, [umlaut.subarray(0, 2), umlaut.subarray(2)]), rules),
    {
      kind: "json",
      text: '"ä"',
      value: "ä",
    },
  );
});

test("a body may have as many bytes as its limit, announced or not", async () => {
  const text = '{"a":12}';
  assert.equal(text.length, rules.maxBytes);
  for (const headers of [json, { ...json, "content-length": String(text.length) }]) {
    assert.equal((await readJsonBody(source(headers, [text]), rules)).kind, "json");
  }
});

test("the media type is compared without its parameters, in any case", async () => {
  for (const type of [
    "application/json",
    "application/json; charset=utf-8",
    "Application/JSON;charset=UTF-8",
    'application/json; Charset="utf-8" ; profile=x',
    "application/json;charset=utf8",
    "application/json; charsets=latin1",
    " application/json ",
  ]) {
    assert.equal(
      (await readJsonBody(source({ "content-type": type }, ["1"]), rules)).kind,
      "json",
      type,
    );
  }
});

test("another media type, or none, is refused before anything is read", async () => {
  for (const type of [
    "text/plain",
    "application/jsonp",
    "application/json,text/plain",
    "",
    "application/json;charset=latin1",
    "application/json; charset=utf-16",
    "application/json; charset=us-ascii",
    'application/json; profile=x; CHARSET = "iso-8859-1"',
    "application/json; charset=utf-8; charset=latin1",
    "application/json; charset=",
    "application/json; charset",
    "application/json; charset=utf-8, application/json; charset=latin1",
  ]) {
    const body = source({ "content-type": type }, ["1"]);
    assert.deepEqual(await readJsonBody(body, rules), { kind: "unsupported-media-type" }, type);
    assert.equal(body.state.chunksRead, 0);
  }
  assert.deepEqual(await readJsonBody(source({}, ["1"]), rules), {
    kind: "unsupported-media-type",
  });
});

test("a compressed body is refused before anything is read", async () => {
  for (const encoding of ["gzip", "br", "identity", ""]) {
    const body = source({ ...json, "content-encoding": encoding }, ["1"]);
    assert.deepEqual(await readJsonBody(body, rules), { kind: "unsupported-media-type" });
    assert.equal(body.state.chunksRead, 0);
  }
});

test("a body declared too large is refused before anything is read", async () => {
  const body = source({ ...json, "content-length": "9" }, ["1"]);
  assert.deepEqual(await readJsonBody(body, rules), { kind: "too-large" });
  assert.equal(body.state.chunksRead, 0);
});

test("a body that lies about its length is stopped at the limit", async () => {
  for (const length of ["1", "abc", "-5", ""]) {
    const body = source({ ...json, "content-length": length }, ["1234", "5678", "9", "never"]);
    assert.deepEqual(await readJsonBody(body, rules), { kind: "too-large" });
    assert.equal(body.state.chunksRead, 3);
  }
});

test("a body of exactly the limit passes", async () => {
  assert.deepEqual(await readJsonBody(source(json, ["12345678"]), rules), {
    kind: "json",
    text: "12345678",
    value: 12_345_678,
  });
});

test("a body that is not UTF-8 is refused rather than repaired", async () => {
  for (const bytes of [
    [0x22, 0xff, 0x22],
    [0xc0, 0xaf],
    [0xed, 0xa0, 0x80],
    [0xe2, 0x82],
  ]) {
    assert.deepEqual(await readText(source(json, [Uint8Array.from(bytes)]), rules), {
      kind: "invalid-json",
    });
  }
});

test("a body that is not JSON is refused", async () => {
  for (const text of ["", " ", "{", "{'a':1}", "1 2", "NaN"]) {
    assert.deepEqual(
      await readJsonBody(source(json, [text]), rules),
      { kind: "invalid-json" },
      text,
    );
  }
});

test("a body that begins with a byte order mark is refused, in JSON and in any other text", async () => {
  const mark = Uint8Array.of(0xef, 0xbb, 0xbf);
  for (const chunks of [[mark, "1"], [mark], [Buffer.concat([mark, Buffer.from("{}")])]]) {
    assert.deepEqual(await readJsonBody(source(json, chunks), rules), { kind: "invalid-json" });
    assert.deepEqual(await readText(source(json, chunks), rules), { kind: "invalid-json" });
  }
  // Elsewhere it is a character like any other.
  const inside = '"\ufeff"';
  const read = await readJsonBody(source(json, [inside]), rules);
  assert.deepEqual(read, { kind: "json", text: inside, value: "\ufeff" });
});

test("JSON in which an object has a name twice is refused", async () => {
  const wide = { ...rules, maxBytes: 100 };
  for (const text of ['{"a":1,"a":1}', '{"a":1,"\\u0061":2}', '[{"b":{"a":1,"a":2}}]']) {
    const content = await readJsonBody(source(json, [text]), wide);
    assert.deepEqual(content, { kind: "invalid-json" }, text);
  }
  assert.equal((await readJsonBody(source(json, ['{"a":{"a":1}}']), wide)).kind, "json");
});

test("a body that breaks off is incomplete", async () => {
  const body = source(json, ["12", new Error("aborted")]);
  assert.deepEqual(await readJsonBody(body, rules), { kind: "incomplete" });
});

const budgetRules = { mediaType: "text/plain", maxBytes: 100 };

/** A request whose body is `chunk`, `count` times, each when it is let through. */
function createRequest(chunk: string, count: number) {
  const gates = Array.from({ length: count }, () => Promise.withResolvers<void>());
  const request: RawRequest = {
    method: "POST",
    target: "/",
    remoteAddress: undefined,
    header: (name) => (name === "content-type" ? "text/plain" : null),
    async *body() {
      for (const gate of gates) {
        await gate.promise;
        yield Buffer.from(chunk);
      }
    },
  };
  return { request, letThrough: (index: number) => gates[index]?.resolve() };
}

test("bodies that are received at once share the budget, and give it back", async () => {
  const budget = createBodyBudget(20);
  const [first, second] = [createRequest("0123456789", 2), createRequest("0123456789", 2)];
  const reading = readText(budget.limit(first.request), budgetRules);
  const refused = readText(budget.limit(second.request), budgetRules);
  first.letThrough(0);
  second.letThrough(0);
  await new Promise(setImmediate);
  second.letThrough(1);
  await assert.rejects(refused, BodyBudgetError);
  // The refused body gave back what it had taken.
  first.letThrough(1);
  assert.deepEqual(await reading, { kind: "text", text: "01234567890123456789" });
  const third = createRequest("0123456789", 2);
  const again = readText(budget.limit(third.request), budgetRules);
  third.letThrough(0);
  third.letThrough(1);
  assert.deepEqual(await again, { kind: "text", text: "01234567890123456789" });
});

test("a body that is too large, or breaks off, gives its bytes back", async () => {
  const budget = createBodyBudget(250);
  for (let round = 0; round < 4; round++) {
    const { request, letThrough } = createRequest("0123456789".repeat(6), 2);
    const reading = readText(budget.limit(request), budgetRules);
    letThrough(0);
    letThrough(1);
    assert.deepEqual(await reading, { kind: "too-large" });
  }
});
