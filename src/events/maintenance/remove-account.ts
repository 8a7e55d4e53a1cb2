/** Removes an account with everything that belongs to it. */
import type { Database } from "../../database/database.ts";
import type { Account } from "../../identity/accounts.ts";
import { revokeAllAccess } from "../oauth/grants.ts";
import type { SqlEventsStore } from "../sql/open-sql-events-store.ts";
import { EVENTS_REALM } from "../store.ts";

const BATCH_ROWS = 2000;

/** Revokes access first, so that a store that is rolled back has no sessions; if killed, the removal can run again. */
export async function removeAccount(
  store: SqlEventsStore,
  account: Pick<Account, "accountId" | "username">,
): Promise<void> {
  const { accountId } = account;
  await store.transaction(async (records) => {
    await revokeAllAccess(records, account);
    await records.sessions.closeAll(accountId);
  });
  await removeEntries(store.database, accountId);
  await store.database.transaction(async (tx) => {
    // What is left goes with it: profile, sources, subscriptions, counters, known browsers. A code that
    // was not redeemed would find no account.
    await tx.query(
      `DELETE FROM identity_secrets
       WHERE instance = $instance AND realm = $1 AND used_at IS NULL
         AND bound LIKE $2 ESCAPE '!'`,
      [EVENTS_REALM, `%"${accountId.replaceAll("_", "!_")}"%`],
    );
    await tx.query(
      "DELETE FROM identity_accounts WHERE instance = $instance AND realm = $1 AND account_id = $2",
      [EVENTS_REALM, accountId],
    );
  });
}

/** Removes in batches: one statement for a large account would take longer than a statement may. */
async function removeEntries(database: Database, accountId: string): Promise<void> {
  for (let removed = BATCH_ROWS; removed === BATCH_ROWS;) {
    const rows = await database.transaction((tx) =>
      tx.query(
        `DELETE FROM events_entries WHERE account_id = $1 AND event_id IN (
           SELECT event_id FROM events_entries WHERE account_id = $1 LIMIT $2
         ) RETURNING event_id`,
        [accountId, BATCH_ROWS],
      ),
    );
    removed = rows.length;
  }
}
