import postgres from "postgres";
import { superuserUrl } from "./launch-postgres.ts";

/** Commands that concern whole databases of a test server. */
export async function administer(port: number, ...commands: readonly string[]): Promise<void> {
  const sql = connectToPostgres(port);
  for (const command of commands) await sql.unsafe(command);
  await sql.end();
}

/** One connection, for such commands. */
export function connectToPostgres(port: number): postgres.Sql {
  return postgres(superuserUrl(port, "postgres"), { max: 1, onnotice: () => {} });
}
