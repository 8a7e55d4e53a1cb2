/** Edits on a SQLite storage until the process is killed, one by one or so many together; prints the ids that settle. */
import { createSyncClient } from "../../../src/client/index.ts";
import { createSqliteStorage } from "../../../src/client/node/index.ts";

const client = await createSyncClient({
  baseUrl: "https://sync.example.com",
  redirectUri: "https://app.example.com/callback",
  storage: createSqliteStorage(process.argv[2] ?? ""),
  profile: "open",
});
const together = Number(process.argv[3] ?? 1);
while (together > 1) {
  const notes = client.collection("note");
  const result = await client.transaction((edit) => {
    for (let index = 0; index < together; index++) edit(notes).create({ index });
  });
  if (result.kind !== "stored") throw new Error(result.reason);
  process.stdout.write(`${result.operationIds.join(" ")}\n`);
}
for (let count = 0; ; count++) {
  const result = await client.create(`note/${client.entities.list().length}`, { count });
  if (result.kind !== "stored") throw new Error(result.reason);
  process.stdout.write(`${result.operationId}\n`);
}
