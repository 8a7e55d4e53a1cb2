/**
 * A process that shares a lease on a store and writes two numbers: the first in a transaction that it leaves open
 * until a line comes, the second in the next one. It prints what became of each. Argument: the store.
 */
import { once } from "node:events";
import { takeLease } from "../../src/database/lease.ts";
import { openDatabase } from "../../src/database/open-database.ts";

const [store = ""] = process.argv.slice(2);
const lease = await takeLease(store, "sync", "shared");
if (lease === null) throw new Error("the store is in use");
const database = await openDatabase(store, { leases: [lease] });
const woken = once(process.stdin, "data");

async function tell(name: string, writing: Promise<unknown>): Promise<void> {
  const result = await writing.then(
    () => "written",
    (error: Error) => error.message,
  );
  process.stdout.write(`${name}: ${result}\n`);
}

await tell(
  "open",
  database.transaction(async (tx) => {
    await tx.query("insert into note (id) values (1)");
    process.stdout.write("asleep\n");
    await woken;
    await tx.query("insert into note (id) values (2)");
  }),
);
await tell(
  "next",
  database.transaction((tx) => tx.query("insert into note (id) values (3)")),
);
await database.close();
await lease.release();
process.exit();
