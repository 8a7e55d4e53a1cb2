/** Known browsers in SQL: a row for each token, with the browser that it was given to. */
import type { Queryable, Row } from "../database/database.ts";
import { readOfAccount } from "./identity-tables.ts";
import { keyRow } from "../database/one-row.ts";
import type {
  KnownBrowserBounds,
  KnownBrowserRecord,
  NewKnownBrowser,
} from "./identity-records.ts";

type StoredToken = Omit<KnownBrowserRecord, "hasSignedIn"> & { readonly hasSignedIn: number };

export async function findSqlKnownBrowsers(
  tx: Queryable,
  realm: string,
  hashes: readonly string[],
  now: number,
): Promise<KnownBrowserRecord[]> {
  if (hashes.length === 0) return [];
  const selects = hashes.map((_, index) => selectToken(`$${index + 3}`));
  const params = [realm, now, ...hashes];
  const rows = await tx.query<StoredToken & Row>(selects.join(" UNION ALL "), params);
  return rows.map(({ hasSignedIn, ...token }) => ({ ...token, hasSignedIn: hasSignedIn === 1 }));
}

/** Selects the token with a hash, if it is live at `$2` and its account is of the realm `$1`. */
function selectToken(hash: string): string {
  return `SELECT b.token_hash AS hash, b.account_id AS "accountId", b.browser_id AS "browserId",
      b.expires_at AS "expiresAt", b.has_signed_in AS "hasSignedIn", ${readOfAccount("username", "b.account_id")} AS username
    FROM ${keyRow("identity_known_browsers", "token_hash", hash)} b
    WHERE b.token_hash = ${hash} AND b.expires_at > $2 AND ${readOfAccount("realm", "b.account_id")} = $1`;
}

export async function addSqlKnownBrowser(
  tx: Queryable,
  { hash, accountId, browserId, expiresAt, hasSignedIn }: NewKnownBrowser,
  { maxTokens, maxUnconfirmed }: KnownBrowserBounds,
): Promise<void> {
  await tx.query(
    `INSERT INTO identity_known_browsers
       (instance, token_hash, account_id, browser_id, expires_at, has_signed_in, last_used, made)
     VALUES ($instance, $1, $2, $3, $4, $5,
       (SELECT coalesce(max(last_used), 0) FROM identity_known_browsers
        WHERE instance = $instance AND account_id = $2 AND browser_id = $3),
       (SELECT coalesce(max(made), 0) + 1 FROM identity_known_browsers
        WHERE instance = $instance AND account_id = $2))`,
    [hash, accountId, browserId, expiresAt, Number(hasSignedIn)],
  );
  await tx.query(
    `DELETE FROM identity_known_browsers
     WHERE instance = $instance AND account_id = $1 AND browser_id = $2
       AND made > (SELECT min(made) FROM identity_known_browsers
                   WHERE instance = $instance AND account_id = $1 AND browser_id = $2)
       AND made NOT IN (SELECT made FROM identity_known_browsers
                        WHERE instance = $instance AND account_id = $1 AND browser_id = $2
                        ORDER BY made DESC LIMIT $3)`,
    [accountId, browserId, maxTokens - 1],
  );
  await evictUnconfirmed(tx, accountId, maxUnconfirmed);
}

export async function confirmSqlKnownBrowser(
  tx: Queryable,
  { hash, accountId, browserId }: KnownBrowserRecord,
  { maxConfirmed }: KnownBrowserBounds,
): Promise<void> {
  await tx.query(
    `DELETE FROM identity_known_browsers
     WHERE instance = $instance AND account_id = $1 AND browser_id = $2
       AND made < (SELECT made FROM identity_known_browsers
                   WHERE instance = $instance AND token_hash = $3)`,
    [accountId, browserId, hash],
  );
  await tx.query(
    `UPDATE identity_known_browsers SET last_used =
       (SELECT max(last_used) + 1 FROM identity_known_browsers
        WHERE instance = $instance AND account_id = $1)
     WHERE instance = $instance AND account_id = $1 AND browser_id = $2`,
    [accountId, browserId],
  );
  // SQLite has no OFFSET without a LIMIT.
  await tx.query(
    `DELETE FROM identity_known_browsers
     WHERE instance = $instance AND account_id = $1 AND browser_id IN (
       SELECT browser_id FROM identity_known_browsers
       WHERE instance = $instance AND account_id = $1 AND last_used > 0
       GROUP BY browser_id ORDER BY max(last_used) DESC LIMIT 1000000 OFFSET $2
     )`,
    [accountId, maxConfirmed],
  );
}

export async function limitSqlKnownBrowser(
  tx: Queryable,
  hash: string,
  expiresAt: number,
): Promise<void> {
  await tx.query(
    `UPDATE identity_known_browsers SET expires_at = $2
     WHERE instance = $instance AND token_hash = $1 AND expires_at > $2`,
    [hash, expiresAt],
  );
}

export async function removeSqlKnownBrowsers(tx: Queryable, accountId: string): Promise<void> {
  await tx.query(
    "DELETE FROM identity_known_browsers WHERE instance = $instance AND account_id = $1",
    [accountId],
  );
}

/** An unconfirmed browser has one token, because only a browser that came back gets another one. */
async function evictUnconfirmed(tx: Queryable, accountId: string, maximum: number): Promise<void> {
  const [row] = await tx.query<{ held: number }>(
    `SELECT count(*) AS held FROM identity_known_browsers
     WHERE instance = $instance AND account_id = $1 AND last_used = 0`,
    [accountId],
  );
  const excess = (row?.held ?? 0) - maximum;
  if (excess <= 0) return;
  await tx.query(
    `DELETE FROM identity_known_browsers WHERE instance = $instance AND token_hash IN (
       SELECT token_hash FROM identity_known_browsers
       WHERE instance = $instance AND account_id = $1 AND last_used = 0 ORDER BY made LIMIT $2 OFFSET $3
     )`,
    [accountId, excess, Math.floor(maximum / 2)],
  );
}
