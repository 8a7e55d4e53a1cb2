/** Statements that read more than they return, each with the reason for which that is right. */

export interface ExpectedPlan {
  /** Of the statement with single spaces. */
  readonly statement: RegExp;
  /** Any when left out. */
  readonly errors?: RegExp;
  readonly reason: string;
}

const EVERYTHING = "It is asked for everything";
const OF_ONE_ACCOUNT =
  /^sorts all rows|^filters rows of .* after \(+(?:instance = \$\d+\) AND \()?account_id = /;
const SCRATCH = "It examines the scratch store of a backup, as a whole";

export const EXPECTED_ERRORS: readonly ExpectedPlan[] = [
  {
    statement: /^SELECT l\.generation, .* UNION ALL SELECT .* FROM sync_entities e WHERE/,
    reason: EVERYTHING,
  },
  {
    statement: /^SELECT state FROM sync_entities WHERE instance = \S+ AND entity_id NOT LIKE/,
    reason: EVERYTHING,
  },
  { statement: /^SELECT CAST\( \(SELECT coalesce\(sum\(pg_column_size/, reason: EVERYTHING },
  { statement: /^SELECT 0 AS part,/, reason: "A backup has everything" },
  {
    statement: /\(SELECT count\(\*\) FROM sync_ledger WHERE instance = \S+\) AS ledger$/,
    reason: EVERYTHING,
  },
  {
    statement:
      /^SELECT count\(\*\) AS count FROM sync_entities WHERE instance = \S+ AND entity_id NOT LIKE/,
    reason: EVERYTHING,
  },
  {
    statement: /^SELECT 1 AS found FROM sync_entities WHERE instance = \S+ AND substr\(entity_id/,
    reason: "The start of a server asks once whether it can read anything",
  },
  {
    statement:
      /^SELECT count\(\*\) AS entities, \(SELECT count\(\*\) FROM sync_keys WHERE instance = \S+\) AS keys FROM sync_entities/,
    reason: "A store that is not opened says how many entities keep it from that",
  },
  { statement: /\(SELECT count\(\*\) FROM events_grants\) AS grants,/, reason: EVERYTHING },
  { statement: /count\(deleted_at\) AS deleted FROM events_entries$/, reason: EVERYTHING },
  {
    statement: /^SELECT body FROM sync_operations WHERE instance = \S+ AND received_at < \$1$/,
    reason: "A purge of tombstones, which an operator starts, reads the log once",
  },
  {
    statement: /^SELECT account_id FROM identity_accounts WHERE instance = \S+ AND realm = 'sync'$/,
    reason: "The index has the one account of the realm",
  },
  {
    statement:
      /FROM identity_(?:accounts|failures) WHERE instance = \S+ AND realm = \$1(?: ORDER BY created_at, account_id)?$/,
    reason: "It is asked for everything of a service, which seldom shares its database",
  },
  {
    statement: /\( SELECT \* FROM events_grants(?: WHERE account_id = \$2)?\) SELECT/,
    reason: EVERYTHING,
  },
  { statement: /FROM events_subscriptions f ORDER BY/, reason: EVERYTHING },
  { statement: /AS overdue FROM events_subscriptions$/, reason: EVERYTHING },
  {
    statement: /AND e\.source_id = \$1 AND e\.deleted_at IS NULL LIMIT 1$/,
    errors: OF_ONE_ACCOUNT,
    reason: "It reads the tombstones of one source, once in its life",
  },
  {
    statement:
      /identity_(?:known_browsers|sign_ins) .*WHERE instance = \S+ AND account_id = \$[12]/,
    errors: OF_ONE_ACCOUNT,
    reason: "It reads the tokens or the sign-ins of one account, whose number is bounded",
  },
  {
    statement:
      /FROM identity_secrets WHERE instance = \S+ AND realm = \$1(?: AND purpose = \$2)?(?: AND used_at IS NULL)?(?: ORDER BY expires_at, secret_hash)?$/,
    reason:
      "A revocation of everything and a list of links are rare, and an index would serve nothing else",
  },
  {
    statement: /^DELETE FROM events_(?:sessions|grants)(?: WHERE instance = \S+)?$/,
    reason: "A restore or a rollback ends all of them",
  },
  {
    statement: /^SELECT min\(log_offset\) AS first FROM sync_operations WHERE instance = \S+$/,
    reason: "It is the first entry of an index",
  },
  { statement: /^SELECT min\(log_offset\) AS first, max\(log_offset\) AS last/, reason: SCRATCH },
  { statement: /^SELECT entity_id, 0 AS is_operation/, reason: SCRATCH },
  { statement: /^SELECT log_offset, mark FROM sync_marks/, reason: SCRATCH },
  { statement: /FROM sync_ledger WHERE instance = \S+ AND content_hash = ''/, reason: SCRATCH },
  { statement: /^SELECT username FROM identity_accounts/, reason: SCRATCH },
  { statement: /^SELECT 1 AS one FROM/, reason: SCRATCH },
  { statement: /e\.missing FROM events_entries e$/, reason: SCRATCH },
];
