import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { carriesAccessToken, parseListQuery } from "./parse-list-query.ts";
import { parseParameters } from "./parse-parameters.ts";

const parse = (search: string) => parseListQuery(parseParameters(search));
const accepted = (query: object) => ({
  kind: "accepted",
  query: { limit: 500, updatedSince: null, includeDeleted: false, ...query },
});

for (const [search, query] of [
  ["limit=500", {}],
  ["limit=1", { limit: 1 }],
  ["limit=1000", { limit: 1000 }],
  ["limit=500&updated_since=1970-01-01T00:00:00Z", { updatedSince: 0 }],
  ["limit=500&updated_since=1970-01-01T02:00:00%2B02:00", { updatedSince: 0 }],
  ["limit=500&updated_since=1970-01-02", { updatedSince: 10 * 3_600_000 }],
  ["limit=500&include_deleted=true", { includeDeleted: true }],
  ["limit=500&include_deleted=false", {}],
  ["limit=500&other=1&other=2&%zz", {}],
] as const) {
  test(`${search} is understood`, () => assert.deepEqual(parse(search), accepted(query)));
}

for (const [name, searches] of Object.entries({
  limit: [
    "",
    "limit",
    "limit=",
    "limit=0",
    "limit=1001",
    "limit=-1",
    "limit=%2B5",
    "limit=05",
    "limit=1.0",
    "limit=1e2",
    "limit=0x10",
    "limit=+5",
    "limit=5%0a",
    "limit=%ff",
    "limit=9999999999999999",
    "limit=5&limit=5",
    "Limit=5",
  ],
  updated_since: [
    "limit=5&updated_since=",
    "limit=5&updated_since=x",
    "limit=5&updated_since=%ff",
    "limit=5&updated_since=1970-01-01T02:00:00+02:00",
    "limit=5&updated_since=1970-01-01&updated_since=1970-01-01",
  ],
  include_deleted: [
    "limit=5&include_deleted=",
    "limit=5&include_deleted=1",
    "limit=5&include_deleted=TRUE",
    "limit=5&include_deleted=true&include_deleted=true",
  ],
})) {
  for (const search of searches) {
    test(`${JSON.stringify(search)} is refused for ${name}`, () => {
      const outcome = parse(search);
      assert.ok(outcome.kind === "refused" && outcome.description.startsWith(`${name} must be`));
    });
  }
}

test("exactly the integers from 1 to 1000, in their one spelling, are limits", () => {
  fc.assert(
    fc.property(fc.oneof(fc.integer().map(String), fc.string()), (text) => {
      const isLimit = /^[1-9]\d{0,3}$/.test(text) && Number(text) <= 1000;
      const outcome = parse(`limit=${encodeURIComponent(text)}`);
      assert.equal(outcome.kind, isLimit ? "accepted" : "refused");
    }),
  );
});

test("a token in the address is seen in every form, but not an empty one", () => {
  const carries = (search: string) => carriesAccessToken(parseParameters(search));
  for (const search of ["access_token=x", "a=1&access%5Ftoken=x", "access_token=%ff"]) {
    assert.equal(carries(search), true, search);
  }
  assert.equal(carries("access_token=&access_token="), true);
  for (const search of ["", "access_token=", "access_token", "token=x", "ACCESS_TOKEN=x"]) {
    assert.equal(carries(search), false, search);
  }
});
