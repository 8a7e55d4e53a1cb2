/** A process that migrates a store and prints the applied migrations. Arguments: store, folder. */
import { migrate } from "../../src/database/migrate.ts";
import { openDatabase } from "../../src/database/open-database.ts";

const [store = "", folder = ""] = process.argv.slice(2);
const database = await openDatabase(store);
console.log(JSON.stringify(await migrate(database, [{ name: "test", folder: new URL(folder) }])));
await database.close();
