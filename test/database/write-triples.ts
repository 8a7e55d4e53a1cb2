/**
 * A process that writes to a store until it is killed: every transaction writes the same number three
 * times, and prints it once the commit is acknowledged.
 * Arguments: store, name, how many at once, how many in all.
 */
import { openDatabase } from "../../src/database/open-database.ts";

const [store = "", name = "", width = "1", total = "Infinity"] = process.argv.slice(2);
const database = await openDatabase(store);
let next = 0;

async function write(): Promise<void> {
  while (next < Number(total)) {
    const number = next++;
    await database.transaction(async (tx) => {
      for (const part of [1, 2, 3]) {
        await tx.query("insert into triple (writer, number, part, body) values ($1, $2, $3, $4)", [
          name,
          number,
          part,
          "x".repeat(500),
        ]);
      }
    });
    process.stdout.write(`${number}\n`);
  }
}

await Promise.all(Array.from({ length: Number(width) }, write));
await database.close();
