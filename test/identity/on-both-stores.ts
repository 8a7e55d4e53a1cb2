/** Databases with the tables of accounts and sign-in, whose single statements may write. */
import type { Database } from "../../src/database/database.ts";
import { migrate } from "../../src/database/migrate.ts";
import { openDatabase } from "../../src/database/open-database.ts";
import { createStorePlaces, STORE_KINDS, type StorePlace } from "../database/on-both-stores.ts";

export type IdentityPlace = StorePlace<Database>;

const MIGRATIONS = new URL("../../src/identity/migrations/", import.meta.url);

export { STORE_KINDS };
export const { createPlace, testOnBothStores } = createStorePlaces(
  async (store): Promise<Database> => {
    const database = await openDatabase(store);
    await migrate(database, [{ name: "identity", folder: MIGRATIONS }]);
    return {
      ...database,
      query: (sql, params) => database.transaction((tx) => tx.query(sql, params)),
      queryRows: (sql, rows, params) =>
        database.transaction((tx) => tx.queryRows(sql, rows, params)),
    };
  },
  "identity",
);
