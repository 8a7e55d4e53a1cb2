import assert from "node:assert/strict";
import { test } from "node:test";
import { allRowsParameter, allRowsStatement, someRowsStatement } from "./rows.ts";

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

test("all rows are one JSON parameter with declared types", () => {
  assert.equal(
    allRowsStatement("select r.id from {rows} as r", columns, 1),
    `select r.id from (select "id", "body", decode("hash", 'hex') as "hash" from json_to_recordset($1::json) as given("id" bigint, "body" text, "hash" text)) as r`,
  );
  assert.deepEqual(JSON.parse(allRowsParameter({ columns, rows })), [
    { id: 1, body: 'a "quoted" $1', hash: "01ab" },
    { id: 2, body: null, hash: null },
  ]);
});
