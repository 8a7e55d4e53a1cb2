import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { carriesAccessToken, parseListQuery, parseSince } from "./parse-list-query.ts";
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
      const result = parse(search);
      assert.ok(result.kind === "refused" && result.description.startsWith(`${name} must be`));
    });
  }
}

test("exactly the integers from 1 to 1000, in their one spelling, are limits", () => {
  fc.assert(
    fc.property(fc.oneof(fc.integer().map(String), fc.string()), (text) => {
      const isLimit = /^[1-9]\d{0,3}$/.test(text) && Number(text) <= 1000;
      const result = parse(`limit=${encodeURIComponent(text)}`);
      assert.equal(result.kind, isLimit ? "accepted" : "refused");
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

for (const [text, iso] of [
  ["2026-08-21T10:15:30Z", "2026-08-21T10:15:30.000Z"],
  ["2026-08-21t10:15:30z", "2026-08-21T10:15:30.000Z"],
  ["2026-08-21T10:15:30+02:00", "2026-08-21T08:15:30.000Z"],
  ["2026-08-21T10:15:30-00:00", "2026-08-21T10:15:30.000Z"],
  ["2026-08-21T10:15:30.123456789Z", "2026-08-21T10:15:30.123Z"],
  ["2026-08-21T10:15:30.999999999Z", "2026-08-21T10:15:30.999Z"],
  ["1969-12-31T23:59:59.9999Z", "1969-12-31T23:59:59.999Z"],
  ["2026-08-21T10:15:30", "2026-08-20T20:15:30.000Z"],
  ["2026-08-21T10:15:30.123456", "2026-08-20T20:15:30.123Z"],
  ["2026-08-21T10:15:30.1239", "2026-08-20T20:15:30.123Z"],
  ["2026-08-21", "2026-08-20T10:00:00.000Z"],
  ["2026-W34-5", "2026-08-20T10:00:00.000Z"],
  ["2026233T10,5", "2026-08-20T20:30:00.000Z"],
  ["2026-08-21T24:00", "2026-08-21T10:00:00.000Z"],
  ["20260821T101530Z", "2026-08-21T10:15:30.000Z"],
  ["2026-08-21T10:15:30+0200", "2026-08-21T08:15:30.000Z"],
  ["2024-02-29", "2024-02-28T10:00:00.000Z"],
  ["1970-01-01T00:00:00Z", "1970-01-01T00:00:00.000Z"],
  ["2016-12-31T23:59:60Z", "2016-12-31T23:59:59.000Z"],
  ["2016-12-31T23:59:60.5", "2016-12-31T09:59:59.500Z"],
  ["9999-12-31T23:59:59Z", "9999-12-31T23:59:59.000Z"],
] as const) {
  test(`${text} is ${iso}`, () => assert.equal(parseSince(text), Date.parse(iso)));
}

for (const [text, reason] of [
  ["", "invalid-date"],
  ["yesterday", "invalid-date"],
  ["1755771330", "invalid-date"],
  ["2026-02-29T00:00:00", "invalid-date"],
  // A plus sign that was not escaped.
  ["2026-08-21T10:15:30 02:00", "invalid-date"],
  ["2026-08", "date-without-day"],
  ["+002026-08-21", "expanded-year"],
  ["20260821T10:15:30Z", "mixed-forms"],
] as const) {
  test(`${JSON.stringify(text)} is no time: ${reason}`, () =>
    assert.equal(parseSince(text), reason));
}

test("a refusal says what is wrong with the time", () => {
  for (const [since, words] of [
    ["soon", /ISO 8601/],
    ["2026-08", /name a day/],
    ["%2B002026-08-21", /four digits without a sign/],
    ["2026-0821", /all extended .* or all basic/],
  ] as const) {
    const result = parse(`limit=5&updated_since=${since}`);
    assert.ok(result.kind === "refused");
    assert.match(result.description, words);
  }
});

const instants = fc.date({
  min: new Date("0001-01-01T00:00:00Z"),
  max: new Date("9998-12-31T00:00:00Z"),
  noInvalidDate: true,
});

test("a time without an offset is read as the earliest instant it can be", () => {
  const minutes = fc.integer({ min: -12 * 60, max: 14 * 60 });
  fc.assert(
    fc.property(instants, minutes, (date, offset) => {
      const local = new Date(date.getTime() + offset * 60_000).toISOString().slice(0, -1);
      const read = parseSince(local);
      assert.ok(typeof read === "number" && read <= date.getTime(), local);
      assert.ok(date.getTime() - read <= 26 * 3_600_000, local);
    }),
  );
});

test("a date is its midnight, and a longer fraction is never a later time", () => {
  fc.assert(
    fc.property(instants, fc.stringMatching(/^\d{1,6}$/), (date, digits) => {
      const iso = date.toISOString();
      assert.equal(parseSince(iso.slice(0, 10)), parseSince(`${iso.slice(0, 10)}T00:00:00`));
      assert.equal(parseSince(iso.replace("Z", `${digits}Z`)), date.getTime());
    }),
  );
});
