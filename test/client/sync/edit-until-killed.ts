/** Edits on a SQLite storage until the process is killed; prints the id of each settled operation. */
import { createSyncClient } from "../../../src/client/index.ts";
import { createSqliteStorage } from "../../../src/client/node/index.ts";

const client = await createSyncClient({
  baseUrl: "https://sync.example.com",
  redirectUri: "https://app.example.com/callback",
  storage: createSqliteStorage(process.argv[2] ?? ""),
  profile: "open",
});
for (let count = 0; ; count++) {
  const result = await client.create(`note/${client.entities.list().length}`, { count });
  if (result.kind !== "stored") throw new Error(result.reason);
  process.stdout.write(`${result.operationId}\n`);
}
