import type { BackupTable } from "../database/table-columns.ts";
import type { Database, Queryable, Row } from "../database/database.ts";
import { FORGET_FAILURES_MS, type FailureRecord } from "../rules/identity/throttle.ts";
import type { AccountRecord, IdentityRecords } from "./identity-records.ts";
import type { SecurityCount } from "./security-event.ts";
import { addSqlChallenge, removeSqlChallenges, takeSqlChallenge } from "./sql-challenges.ts";
import { ofAccounts } from "./identity-tables.ts";
import { createSqlPasskeys } from "./passkeys/sql-passkeys.ts";
import { KEEP_SIGN_INS_MS } from "./sign-in-history.ts";
import { firstRow } from "../database/one-row.ts";
import {
  addSqlKnownBrowser,
  confirmSqlKnownBrowser,
  findSqlKnownBrowsers,
  limitSqlKnownBrowser,
  removeSqlKnownBrowsers,
} from "./sql-known-browsers.ts";
import { createSqlSecrets } from "./sql-secrets.ts";
import { listSqlSignIns, noteSqlSignIn } from "./sql-sign-ins.ts";

type Columns<T> = T & Row;
type AccountColumns = Columns<
  Omit<AccountRecord, "hasPassword"> & { readonly hasPassword: number }
>;

const ACCOUNT_COLUMNS = `account_id AS "accountId", username, sealed_verifier AS "sealedVerifier",
  created_at AS "createdAt", password_changed_at AS "passwordChangedAt",
  has_password AS "hasPassword"`;

/** The tables of accounts and sign-ins that name a realm. */
const OF_REALM = [
  "identity_accounts",
  "identity_challenges",
  "identity_secrets",
  "identity_failures",
] as const;

export function createSqlIdentityRecords(tx: Queryable, realm: string): IdentityRecords {
  return {
    ...accountRecords(tx, realm),
    addChallenge: (challenge, bounds) => addSqlChallenge(tx, realm, challenge, bounds),
    takeChallenge: (challengeId) => takeSqlChallenge(tx, realm, challengeId),
    removeChallenges: (username) => removeSqlChallenges(tx, realm, username),
    ...createSqlSecrets(tx, realm),
    findKnownBrowsers: (hashes, now) => findSqlKnownBrowsers(tx, realm, hashes, now),
    addKnownBrowser: (browser, bounds) => addSqlKnownBrowser(tx, browser, bounds),
    confirmKnownBrowser: (browser, bounds) => confirmSqlKnownBrowser(tx, browser, bounds),
    limitKnownBrowser: (hash, expiresAt) => limitSqlKnownBrowser(tx, hash, expiresAt),
    removeKnownBrowsers: (accountId) => removeSqlKnownBrowsers(tx, accountId),
    ...createSqlPasskeys(tx, realm),
    ...failureRecords(tx, realm),
    noteSignIn: (accountId, signIn, bounds) => noteSqlSignIn(tx, accountId, signIn, bounds),
    listSignIns: (accountId) => listSqlSignIns(tx, accountId),
    async removeAll() {
      // What belongs to an account is deleted with it.
      for (const table of OF_REALM) {
        await tx.query(`DELETE FROM ${table} WHERE instance = $instance AND realm = $1`, [realm]);
      }
    },
    async countSecurityEvent(kind, at) {
      await tx.query(
        `INSERT INTO identity_security_events (instance, realm, kind, total, last_at)
         VALUES ($instance, $1, $2, 1, $3)
         ON CONFLICT (instance, realm, kind) DO UPDATE SET
           total = identity_security_events.total + 1, last_at = excluded.last_at`,
        [realm, kind, at],
      );
    },
    listSecurityCounts: () => listSqlSecurityCounts(tx, realm),
  };
}

function accountRecords(
  tx: Queryable,
  realm: string,
): Pick<IdentityRecords, "findAccount" | "listAccounts" | "addAccount" | "replaceVerifier"> {
  return {
    async findAccount(username) {
      const [account] = await tx.query<AccountColumns>(
        `SELECT ${ACCOUNT_COLUMNS} FROM identity_accounts
         WHERE instance = $instance AND realm = $1 AND username = $2`,
        [realm, username],
      );
      return account === undefined ? null : toAccountRecord(account);
    },
    async listAccounts() {
      const accounts = await tx.query<AccountColumns>(
        `SELECT ${ACCOUNT_COLUMNS} FROM identity_accounts
         WHERE instance = $instance AND realm = $1 ORDER BY created_at, account_id`,
        [realm],
      );
      return accounts.map(toAccountRecord);
    },
    async addAccount(account) {
      const { accountId, username, sealedVerifier, createdAt, passwordChangedAt } = account;
      const rows = await tx.query(
        `INSERT INTO identity_accounts
           (instance, account_id, realm, username, sealed_verifier, created_at, password_changed_at,
            has_password)
         VALUES ($instance, $1, $2, $3, $4, $5, $6, $7)
         ON CONFLICT DO NOTHING RETURNING account_id`,
        [
          accountId,
          realm,
          username,
          sealedVerifier,
          createdAt,
          passwordChangedAt,
          Number(account.hasPassword),
        ],
      );
      return rows.length > 0;
    },
    async replaceVerifier(accountId, sealedVerifier, changedAt, hasPassword = true) {
      await tx.query(
        `UPDATE identity_accounts SET sealed_verifier = $2, password_changed_at = $3, has_password = $4
         WHERE instance = $instance AND account_id = $1`,
        [accountId, sealedVerifier, changedAt, hasPassword ? 1 : 0],
      );
    },
  };
}

function toAccountRecord(account: AccountColumns): AccountRecord {
  return { ...account, hasPassword: account.hasPassword === 1 };
}

function failureRecords(
  tx: Queryable,
  realm: string,
): Pick<IdentityRecords, "readFailures" | "writeFailure" | "clearFailures"> {
  return {
    async readFailures(subjects) {
      if (subjects.length === 0) return new Map();
      const selects = subjects.map((_, index) => selectFailure(`$${index + 2}`));
      const rows = await tx.query<Columns<FailureRecord & { readonly subject: string }>>(
        selects.join(" UNION ALL "),
        [realm, ...subjects],
      );
      return new Map(
        rows.map(({ subject, failures, lastFailureAt, blockedUntil }) => [
          subject,
          { failures, lastFailureAt, blockedUntil },
        ]),
      );
    },
    async writeFailure(subject, { failures, lastFailureAt, blockedUntil }) {
      await tx.query(
        `INSERT INTO identity_failures
           (instance, realm, subject, failures, last_failure_at, blocked_until)
         VALUES ($instance, $1, $2, $3, $4, $5)
         ON CONFLICT (instance, realm, subject) DO UPDATE SET
           failures = excluded.failures, last_failure_at = excluded.last_failure_at, blocked_until = excluded.blocked_until`,
        [realm, subject, failures, lastFailureAt, blockedUntil],
      );
    },
    async clearFailures(subjects) {
      await tx.query(
        `DELETE FROM identity_failures
         WHERE instance = $instance AND realm = $1 AND subject IN (${placeholders(subjects)})`,
        [realm, ...subjects],
      );
    },
  };
}

function selectFailure(subject: string): string {
  const range = `instance = $instance AND realm = $1 AND subject >= ${subject}`;
  return `SELECT f.subject, f.failures, f.last_failure_at AS "lastFailureAt",
      f.blocked_until AS "blockedUntil"
    FROM ${firstRow("identity_failures", range, "subject")} f WHERE f.subject = ${subject}`;
}

/** A read, so that a command needs no transaction for it. */
export function listSqlSecurityCounts(tx: Queryable, realm: string): Promise<SecurityCount[]> {
  return tx.query<Columns<SecurityCount>>(
    `SELECT kind, total, last_at AS "lastAt" FROM identity_security_events
     WHERE instance = $instance AND realm = $1 ORDER BY kind`,
    [realm],
  );
}

/** Whether the realm has an account. A read, which waits for no writer; the order is that of one index alone. */
export async function hasSqlAccount(store: Queryable, realm: string): Promise<boolean> {
  const rows = await store.query(
    `SELECT 1 AS found FROM identity_accounts WHERE instance = $instance AND realm = $1
     ORDER BY username LIMIT 1`,
    [realm],
  );
  return rows.length > 0;
}

/** Counts that a store was rolled back; the first process that opens it afterwards notices this. */
export async function countSqlRollback(database: Database, realm: string): Promise<void> {
  await database.transaction((tx) =>
    createSqlIdentityRecords(tx, realm).countSecurityEvent("store-restored", Date.now()),
  );
}

/** Fails when the store cannot be written. */
export async function probeSqlWrite(database: Database, realm: string, now: number): Promise<void> {
  await database.transaction((tx) =>
    tx.query(
      `INSERT INTO identity_write_probes (instance, realm, written_at) VALUES ($instance, $1, $2)
       ON CONFLICT (instance, realm) DO UPDATE SET written_at = excluded.written_at`,
      [realm, now],
    ),
  );
}

export function accountsTable(realm: string): BackupTable<"identity_accounts"> {
  return {
    name: "identity_accounts",
    columns: {
      account_id: "text",
      realm: "text",
      username: "text",
      sealed_verifier: "text",
      created_at: "integer",
      password_changed_at: "integer",
      has_password: "integer",
    },
    where: `realm = '${realm}'`,
  };
}

export function passkeysTable(realm: string): BackupTable<"identity_passkeys"> {
  return {
    name: "identity_passkeys",
    columns: {
      credential_id: "text",
      account_id: "text",
      public_key: "text",
      counter: "integer",
      name: "text",
      created_at: "integer",
      last_used_at: "integer",
    },
    nullable: ["last_used_at"],
    where: ofAccounts(realm),
  };
}

/** Deletes expired rows of every realm. Optional: readers ignore expired rows. */
export async function pruneSqlIdentity(tx: Queryable, now: number): Promise<void> {
  const remove = (table: string, column: string, until: number) =>
    tx.query(`DELETE FROM ${table} WHERE instance = $instance AND ${column} <= $1`, [until]);
  await remove("identity_challenges", "expires_at", now);
  await remove("identity_secrets", "keep_until", now);
  await remove("identity_known_browsers", "expires_at", now);
  await remove("identity_failures", "last_failure_at", now - FORGET_FAILURES_MS);
  await remove("identity_sign_ins", "last_at", now - KEEP_SIGN_INS_MS);
  // A flood from many networks has many counters, so none is kept for longer than it counts.
  await remove("identity_hits", "window_end", now);
}

/** Placeholders for a list after `$1`. */
function placeholders(values: readonly string[]): string {
  return values.map((_, index) => `$${index + 2}`).join(", ");
}
