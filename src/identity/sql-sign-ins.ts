/** The history of sign-ins in SQL. */
import type { SignInItem } from "../contract/identity.ts";
import type { Queryable, Row } from "../database/database.ts";
import type { NewSignIn, SignInBounds } from "./identity-records.ts";

export async function noteSqlSignIn(
  tx: Queryable,
  accountId: string,
  signIn: NewSignIn,
  { maxEach, windowMs }: SignInBounds,
): Promise<void> {
  const { result, purpose, method, isNew, browser, system, network, at } = signIn;
  if (result === "refused") {
    const [counted] = await tx.query(
      `UPDATE identity_sign_ins SET tries = tries + 1, purpose = $2, method = $3, browser = $4,
         system = $5, last_at = $6
       WHERE instance = $instance AND account_id = $1
         AND made = (SELECT max(made) FROM identity_sign_ins
         WHERE instance = $instance AND account_id = $1 AND result = 'refused' AND network IS NOT DISTINCT FROM $7
           AND first_at > $8)
       RETURNING made`,
      [accountId, purpose, method, browser, system, at, network, at - windowMs],
    );
    if (counted !== undefined) return;
  }
  await tx.query(
    `INSERT INTO identity_sign_ins (instance, account_id, made, result, purpose, method, is_new, browser,
       system, network, tries, first_at, last_at)
     VALUES ($instance, $1, (SELECT coalesce(max(made), 0) + 1 FROM identity_sign_ins
         WHERE instance = $instance AND account_id = $1),
       $2, $3, $4, $5, $6, $7, $8, 1, $9, $9)`,
    [accountId, result, purpose, method, Number(isNew), browser, system, network, at],
  );
  await tx.query(
    `DELETE FROM identity_sign_ins WHERE instance = $instance AND account_id = $1 AND result = $2
       AND made <= (SELECT made FROM identity_sign_ins
                    WHERE instance = $instance AND account_id = $1 AND result = $2
                    ORDER BY made DESC LIMIT 1 OFFSET $3)`,
    [accountId, result, maxEach],
  );
}

/** The sum keeps SQLite from the index of ages, which has the order and the sign-ins of all accounts. */
export async function listSqlSignIns(tx: Queryable, accountId: string): Promise<SignInItem[]> {
  const rows = await tx.query<Omit<SignInItem, "isNew"> & { readonly isNew: number } & Row>(
    `SELECT result, purpose, method, is_new AS "isNew", browser, system, network, tries,
       last_at AS "at" FROM identity_sign_ins
     WHERE instance = $instance AND account_id = $1 ORDER BY last_at + 0 DESC, made DESC`,
    [accountId],
  );
  return rows.map(({ isNew, ...signIn }) => ({ ...signIn, isNew: isNew === 1 }));
}
