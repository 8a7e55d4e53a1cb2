import type { Queryable } from "../../database/database.ts";
import type { Profile, ProfileRecords } from "../store.ts";
import { columnsOf, toRecords } from "../../database/columns.ts";

const PROFILE = columnsOf<Profile>("accountId", "timeZone", "language");

export function createSqlProfiles(tx: Queryable): ProfileRecords {
  return {
    async put(profile) {
      await tx.query(
        `INSERT INTO events_profiles (${PROFILE.names}) VALUES (${PROFILE.placeholders})
         ON CONFLICT (account_id) DO UPDATE SET time_zone = excluded.time_zone,
           language = excluded.language`,
        PROFILE.values(profile),
      );
    },
    async find(accountId) {
      const rows = await tx.query<Pick<Profile, keyof Profile>>(
        `SELECT ${PROFILE.select("p")} FROM events_profiles p WHERE p.account_id = $1`,
        [accountId],
      );
      return toRecords(rows)[0] ?? null;
    },
  };
}
