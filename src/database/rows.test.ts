import assert from "node:assert/strict";
import { test } from "node:test";
import { allRowsParameters, allRowsStatement, someRowsStatement } from "./rows.ts";

const columns = { id: "integer", body: "text", hash: "binary" } as const;
const rows = [
  [1, 'a "quoted" $1', Uint8Array.of(1, 171)],
  [2, null, null],
];

test("some rows are a table of parameters that follow those of the statement", () => {
  assert.equal(
    someRowsStatement("select r.id from {rows} as r where r.id > $1", columns, 2, 2),
    'select r.id from (select column1 as "id", column2 as "body", column3 as "hash" from (values ($2, $3, $4), ($5, $6, $7))) as r where r.id > $1',
  );
});

test("an insert of some rows uses OR FAIL", () => {
  assert.equal(
    someRowsStatement(
      "\n INSERT INTO item (id) SELECT r.id FROM {rows} AS r",
      { id: "text" },
      1,
      1,
    ),
    'INSERT OR FAIL INTO item (id) SELECT r.id FROM (select column1 as "id" from (values ($1))) AS r',
  );
});

test("all rows are a text for each column, beside what separates values and stands for null", () => {
  assert.equal(
    allRowsStatement("select r.id from {rows} as r where r.id > $1", columns, 2),
    `select r.id from (select "id", "body", decode("hash", 'hex') as "hash" from unnest(((string_to_array($4, $2, $3))[2:])::bigint[], (string_to_array($5, $2, $3))[2:], (string_to_array($6, $2, $3))[2:]) as given("id", "body", "hash")) as r where r.id > $1`,
  );
  assert.deepEqual(allRowsParameters({ columns, rows }), [
    "\u001E0\u001F",
    "\u001E0",
    "\u001E0\u001F1\u001E0\u001F2",
    '\u001E0\u001Fa "quoted" $1\u001E0\u001F\u001E0',
    "\u001E0\u001F01ab\u001E0\u001F\u001E0",
  ]);
});

test("no value has what separates values", () => {
  const body = "a\u001E0b";
  const [separator = "", absent = "", text = ""] = allRowsParameters({
    columns: { body: "text" },
    rows: [[body], [null]],
  });
  assert.deepEqual(text.split(separator), ["", body, absent]);
  assert.ok(!body.includes(absent));
});

test("a value cannot be made of all the separators that follow the usual one", () => {
  const separators = Array.from({ length: 2 }, () => {
    return allRowsParameters({ columns: { body: "text" }, rows: [["\u001E0"]] })[0];
  });
  assert.notEqual(separators[0], separators[1]);
});
