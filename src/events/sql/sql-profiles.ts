import type { Queryable } from "../../database/database.ts";
import type { Profile, ProfileRecords } from "../store.ts";

export function createSqlProfiles(tx: Queryable): ProfileRecords {
  return {
    async put({ accountId, timeZone, language }) {
      await tx.query(
        `INSERT INTO events_profiles (account_id, time_zone, language) VALUES ($1, $2, $3)
         ON CONFLICT (account_id) DO UPDATE SET time_zone = excluded.time_zone,
           language = excluded.language`,
        [accountId, timeZone, language],
      );
    },
    async find(accountId) {
      const [row] = await tx.query<{ time_zone: string; language: Profile["language"] }>(
        "SELECT time_zone, language FROM events_profiles WHERE account_id = $1",
        [accountId],
      );
      return row === undefined
        ? null
        : { accountId, timeZone: row.time_zone, language: row.language };
    },
  };
}
