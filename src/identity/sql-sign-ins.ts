/** The history of sign-ins in SQL. */
import type { SignInItem } from "../contract/identity.ts";
import type { Queryable, Row } from "../database/database.ts";
import { keyRow } from "../database/one-row.ts";
import type { NewSignIn, SignInBounds } from "./identity-records.ts";

/** An account that does not exist takes as many statements. */
export async function noteSqlSignIn(
  tx: Queryable,
  accountId: string,
  signIn: NewSignIn,
  { maxEach, windowMs }: SignInBounds,
): Promise<void> {
  const { result, purpose, method, isNew, browser, system, network, at } = signIn;
  const values = [accountId, result, purpose, method, Number(isNew), browser, system, network, at];
  const counted = result === "refused" ? await addTry(tx, accountId, signIn, at - windowMs) : 0;
  await tx.query(
    `INSERT INTO identity_sign_ins (instance, account_id, made, result, purpose, method, is_new, browser,
       system, network, tries, first_at, last_at)
     SELECT $instance, a.account_id, (SELECT coalesce(max(made), 0) + 1 FROM identity_sign_ins
         WHERE instance = $instance AND account_id = $1),
       $2, $3, $4, $5, $6, $7, $8, 1, $9, $9
     FROM ${keyRow("identity_accounts", "account_id", "$1")} a WHERE a.account_id = $1 AND $10 = 0`,
    [...values, counted],
  );
  await tx.query(
    `DELETE FROM identity_sign_ins WHERE instance = $instance AND account_id = $1 AND result = $2
       AND made <= (SELECT made FROM identity_sign_ins
                    WHERE instance = $instance AND account_id = $1 AND result = $2
                    ORDER BY made DESC LIMIT 1 OFFSET $3)`,
    [accountId, result, maxEach],
  );
}

/** Returns 1 when it was counted with earlier refusals of its network, else 0. */
async function addTry(
  tx: Queryable,
  accountId: string,
  { purpose, method, browser, system, network, at }: NewSignIn,
  since: number,
): Promise<number> {
  const rows = await tx.query(
    `UPDATE identity_sign_ins SET tries = tries + 1, purpose = $2, method = $3, browser = $4,
       system = $5, last_at = $6
     WHERE instance = $instance AND account_id = $1
       AND made = (SELECT max(made) FROM identity_sign_ins
       WHERE instance = $instance AND account_id = $1 AND result = 'refused' AND network IS NOT DISTINCT FROM $7
         AND first_at > $8)
     RETURNING made`,
    [accountId, purpose, method, browser, system, at, network, since],
  );
  return rows.length;
}

/** More than the bounds of an account: the order by the key makes every planner read its rows alone. */
const MAX_LISTED = 1000;

export async function listSqlSignIns(tx: Queryable, accountId: string): Promise<SignInItem[]> {
  const rows = await tx.query<Omit<SignInItem, "isNew"> & { readonly isNew: number } & Row>(
    `SELECT s.result, s.purpose, s.method, s.is_new AS "isNew", s.browser, s.system, s.network, s.tries,
       s.last_at AS "at"
     FROM (SELECT * FROM identity_sign_ins WHERE instance = $instance AND account_id = $1
       ORDER BY made DESC LIMIT ${MAX_LISTED}) s ORDER BY s.last_at DESC, s.made DESC`,
    [accountId],
  );
  return rows.map(({ isNew, ...signIn }) => ({ ...signIn, isNew: isNew === 1 }));
}
