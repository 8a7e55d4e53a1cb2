import { openPostgres } from "../../src/database/postgres.ts";
import { testDatabaseContract } from "./database-contract.ts";
import { startPostgres } from "./start-postgres.ts";

testDatabaseContract("PostgreSQL", async () => {
  const url = await (await startPostgres()).createDatabase();
  return { open: (options) => openPostgres(url, options) };
});
