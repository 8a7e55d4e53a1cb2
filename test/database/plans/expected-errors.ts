/** Statements that read more than they return, each with the reason for which that is right. */

export interface ExpectedPlan {
  /** Of the statement with single spaces. */
  readonly statement: RegExp;
  /** Any when left out. */
  readonly errors?: RegExp;
  readonly reason: string;
}

const EVERYTHING = "It is asked for everything";
const OF_ONE_ACCOUNT = /^sorts all rows|^filters rows of .* after \(+account_id = /;
const SCRATCH = "It examines the scratch store of a backup, as a whole";

export const EXPECTED_ERRORS: readonly ExpectedPlan[] = [
  {
    statement: /^SELECT l\.generation, .* UNION ALL SELECT .* FROM sync_entities e ORDER BY/,
    reason: EVERYTHING,
  },
  { statement: /^SELECT state FROM sync_entities(?: ORDER BY|$)/, reason: EVERYTHING },
  { statement: /^SELECT 0 AS part,/, reason: "A backup has everything" },
  { statement: /\(SELECT count\(\*\) FROM sync_ledger\) AS ledger$/, reason: EVERYTHING },
  { statement: /^SELECT count\(\*\) AS count FROM sync_entities$/, reason: EVERYTHING },
  {
    statement: /^SELECT 1 AS found FROM sync_entities WHERE substr\(entity_id/,
    reason: "The start of a server asks once whether it can read anything",
  },
  {
    statement:
      /^SELECT count\(\*\) AS entities, \(SELECT count\(\*\) FROM sync_keys\) AS keys FROM sync_entities/,
    reason: "A store that is not opened says how many entities keep it from that",
  },
  { statement: /\(SELECT count\(\*\) FROM events_grants\) AS grants,/, reason: EVERYTHING },
  { statement: /count\(deleted_at\) AS deleted FROM events_entries$/, reason: EVERYTHING },
  {
    statement: /^SELECT body FROM sync_operations WHERE received_at < \$1$/,
    reason: "A purge of tombstones, which an operator starts, reads the log once",
  },
  {
    statement: /^SELECT account_id FROM identity_accounts WHERE realm = 'sync'$/,
    reason: "The index has the one account of the realm",
  },
  { statement: /\( SELECT \* FROM events_grants\) SELECT/, reason: EVERYTHING },
  { statement: /FROM events_subscriptions f ORDER BY/, reason: EVERYTHING },
  { statement: /AS overdue FROM events_subscriptions$/, reason: EVERYTHING },
  {
    statement: /AND e\.source_id = \$1 AND e\.deleted_at IS NULL LIMIT 1$/,
    errors: OF_ONE_ACCOUNT,
    reason: "It reads the tombstones of one source, once in its life",
  },
  {
    statement: /identity_(?:known_browsers|sign_ins) .*WHERE account_id = \$[12] AND/,
    errors: OF_ONE_ACCOUNT,
    reason: "It reads the tokens or the sign-ins of one account, whose number is bounded",
  },
  {
    statement:
      /FROM identity_secrets WHERE realm = \$1(?: AND purpose = \$2)?(?: AND used_at IS NULL)?(?: ORDER BY expires_at, secret_hash)?$/,
    reason:
      "A revocation of everything and a list of links are rare, and an index would serve nothing else",
  },
  {
    statement: /^DELETE FROM events_(?:sessions|grants)$/,
    reason: "A restore or a rollback ends all of them",
  },
  { statement: /^SELECT min\(log_offset\) AS first, max\(log_offset\) AS last/, reason: SCRATCH },
  { statement: /^SELECT entity_id, 0 AS is_operation/, reason: SCRATCH },
  { statement: /FROM sync_ledger WHERE content_hash = ''/, reason: SCRATCH },
  { statement: /^SELECT username FROM identity_accounts/, reason: SCRATCH },
  { statement: /^SELECT 1 AS one FROM/, reason: SCRATCH },
  { statement: /e\.missing FROM events_entries e$/, reason: SCRATCH },
];
