/** The tables of the stores, and how they are filled for the tests of plans. */
import type { Database, Dialect } from "../../../src/database/database.ts";

const FILLED_ROWS = 25_000;

/** Tables that stay small, whatever happens; a statement may read one of them as a whole. */
export const SMALL_TABLES: Readonly<Record<string, string>> = {
  trellis_migration: "one row for each migration",
  trellis_head: "one row for each instance, which its statements find by the key",
  trellis_process: "one row for each process",
  trellis_lease: "some rows for each open instance",
  sync_log: "one row",
  sync_generations: "one row for each restore",
  sync_sessions: "one row for each device of one person",
  sync_browser_sessions: "one row for each browser of one person",
  sync_days: "one row for each day of use",
  sync_keys: "1,000 rows at most, and one or a few in most accounts",
  sync_streams: "one row for each open stream, whose number is limited",
  identity_challenges: "1,000 rows at most",
  identity_instance_keys: "one row for each service",
  identity_security_events: "one row for each kind of event",
  identity_session_epochs: "one row for each service",
  identity_write_probes: "one row for each service",
  events_interactions: "10,000 rows at most",
};

/** `{n}` is a number for each row. Most rows belong together: that misleads statistics the most. */
const GROWING_TABLES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  identity_accounts: {
    account_id: "'account-' || {n}",
    realm: "'events'",
    username: "'name-' || {n}",
    sealed_verifier: "'sealed'",
    created_at: "{n}",
    password_changed_at: "{n}",
  },
  identity_passkeys: {
    credential_id: "'credential-' || {n}",
    account_id: "'account-' || {n}",
    public_key: "'key'",
    counter: "0",
    name: "'name'",
    created_at: "{n}",
  },
  identity_secrets: {
    secret_hash: "'hash-' || {n}",
    realm: "'events'",
    purpose: "'authorization-code'",
    bound: "'{}'",
    expires_at: "{n}",
    used_at: "{n}",
    keep_until: "{n}",
  },
  identity_failures: {
    realm: "'events'",
    subject: "'subject-' || {n}",
    failures: "1",
    last_failure_at: "{n}",
    blocked_until: "{n}",
  },
  identity_known_browsers: {
    token_hash: "'hash-' || {n}",
    account_id: "'account-' || {n}",
    made: "{n}",
    expires_at: "{n}",
    browser_id: "'browser-' || {n}",
    last_used: "{n}",
    has_signed_in: "1",
  },
  identity_sign_ins: {
    account_id: "'account-' || {n}",
    made: "{n}",
    result: "'refused'",
    purpose: "'app'",
    method: "'password'",
    is_new: "0",
    tries: "1",
    first_at: "{n}",
    last_at: "{n}",
  },
  identity_hits: {
    window_start: "{n} / 100",
    subject: "'subject-' || {n}",
    hits: "1",
    window_end: "{n}",
  },
  sync_operations: {
    log_offset: "{n}",
    entity_id: "'entity-' || ({n} / 2)",
    body: "'{}'",
    received_at: "{n}",
  },
  sync_ledger: { operation_id: "'operation-' || {n}", content_hash: "''", log_offset: "{n}" },
  sync_entities: { entity_id: "'entity-' || {n}", state: "'{}'" },
  sync_marks: { log_offset: "{n}", mark: "'mark'" },
  sync_access_tokens: {
    token_hash: "'hash-' || {n}",
    family: "'family'",
    expires_at: "{n}",
  },
  events_profiles: {
    account_id: "'account-' || {n}",
    time_zone: "'Europe/Berlin'",
    language: "'de'",
  },
  events_sessions: {
    session_hash: "'hash-' || {n}",
    account_id: "'account-100000'",
    created_at: "{n}",
    idle_expires_at: "{n}",
    absolute_expires_at: "{n}",
  },
  events_grants: {
    grant_id: "'grant-' || {n}",
    account_id: "'account-100000'",
    client_id: "'app'",
    scope: "'read:events'",
    token_hash: "'hash-' || {n}",
    created_at: "{n}",
    last_used_at: "{n}",
    idle_expires_at: "{n}",
    absolute_expires_at: "{n}",
  },
  events_code_epochs: { account_id: "'account-' || {n}", epoch: "1" },
  events_counters: { account_id: "'account-' || {n}", last_stamp: "{n}", live_count: "1" },
  events_sources: {
    source_id: "'source-' || {n}",
    account_id: "'account-100000'",
    kind: "'subscription'",
    name: "'name-' || {n}",
    created_at: "{n}",
  },
  events_subscriptions: {
    source_id: "'source-' || {n}",
    account_id: "'account-100000'",
    name: "'name'",
    sealed_url: "'sealed'",
    url_hash: "'hash-' || {n}",
    default_type: "'task'",
    rules: "'[]'",
    created_at: "{n}",
    next_fetch_at: "{n}",
    failures: "0",
  },
  events_entries: {
    account_id: "'account-100000'",
    event_id: "'event-' || {n}",
    source_id: "'source-100000'",
    wire: "'{}'",
    date_at: "CASE WHEN {n} % 50 = 0 THEN NULL ELSE {n} END",
    updated_at: "{n}",
    deleted_at: "CASE WHEN {n} % 30 = 0 THEN {n} ELSE NULL END",
    missing: "0",
  },
};

/** What rows of a growing table belong to. */
const FIRST_ROWS: Readonly<Record<string, string>> = {
  sync_access_tokens:
    "INSERT INTO sync_sessions VALUES (1, 'family', 'device', 0, 0, 0, 0, 0, 0, null, null, 'hash');",
};

/** As many digits as the last one: in the order of their texts, rows are written faster. */
const FIRST = 100_000;

const NUMBERS: Readonly<Record<Dialect, (last: number) => string>> = {
  postgres: (last) => `generate_series(${FIRST}, ${last}) AS numbers(n)`,
  sqlite: (last) => `(WITH RECURSIVE up(n) AS (SELECT ${FIRST} UNION ALL
      SELECT n + 1 FROM up WHERE n < ${last})
    SELECT n FROM up) AS numbers`,
};

/** Of the tables that a database has; all of them must be known here. */
export async function listGrowingTables(database: Database): Promise<string[]> {
  const rows = await database.query<{ name: string }>(
    database.dialect === "sqlite"
      ? "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
      : "SELECT tablename AS name FROM pg_tables WHERE schemaname = current_schema()",
  );
  const names = rows.map(({ name }) => name).filter((name) => !(name in SMALL_TABLES));
  const unknown = names.filter((name) => !(name in GROWING_TABLES));
  if (unknown.length > 0) throw new Error(`Small or growing? ${unknown.join(", ")}`);
  return Object.keys(GROWING_TABLES).filter((name) => names.includes(name));
}

/** The tables must be empty. */
export async function fillTables(
  database: Database,
  tables: readonly string[],
  rows = FILLED_ROWS,
): Promise<void> {
  await database.transaction(async (tx) => {
    // The rows belong together; to look that up for each would take longer than to write them.
    if (database.dialect === "postgres")
      await tx.script("SET LOCAL session_replication_role = replica");
    for (const table of tables) {
      const columns = Object.entries(GROWING_TABLES[table] ?? {});
      const values = columns.map(([, value]) => value.replaceAll("{n}", "n"));
      await tx.script(
        `${FIRST_ROWS[table] ?? ""}
         INSERT INTO ${table} (instance, ${columns.map(([name]) => name).join(", ")})
         SELECT 1, ${values.join(", ")} FROM ${NUMBERS[database.dialect](FIRST + rows - 1)}`,
      );
    }
  });
}
