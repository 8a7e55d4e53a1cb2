/** The tables of builds before 0.3.0, in which keys did not begin with the instance, and rows in each of them. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Database, Queryable, Row } from "../../src/database/database.ts";
import type { Scope } from "../../src/database/migrate.ts";
import { EVENTS_SCHEMA } from "../../src/events/sql/open-sql-events-store.ts";
import { SYNC_SCHEMA } from "../../src/sync/sql/open-sql-store.ts";
import { migrateTo } from "./released-schemas.ts";

const LAST = { identity: "001", sync: "002", events: "001" };

export async function makeFormerTables(
  database: Database,
  scopes: readonly Scope[] = [...SYNC_SCHEMA, ...EVENTS_SCHEMA.slice(1)],
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "trellis-former-"));
  try {
    await migrateTo(database, LAST, scopes, folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Two rows for each table, in the order of their references. The second account is of events. */
export const FORMER_ROWS = `
  INSERT INTO identity_accounts VALUES ('a', 'sync', 'ada', 's', 1, 1, 1), ('b', 'events', 'bob', 's', 1, 1, 0);
  INSERT INTO identity_challenges VALUES ('c', 'sync', 0, 'w', 'm', 'c', 1, 'u', 'a', 's', 1, 'n', 1, 9),
    ('d', 'events', 1, 'w', 'm', 'c', 2, 'u', 'a', 's', 1, 'n', 1, 9);
  INSERT INTO identity_secrets VALUES ('c', 'sync', 'p', 'b', 1, null, 9), ('d', 'events', 'p', 'b', 1, 2, 9);
  INSERT INTO identity_failures VALUES ('sync', 's', 1, 2, 3), ('events', 's', 4, 5, 6);
  INSERT INTO identity_known_browsers VALUES ('t', 'a', 1, 9, 'x', 2, 1), ('u', 'b', 1, 9, 'y', 0, 0);
  INSERT INTO identity_passkeys VALUES ('p', 'a', 'k', 1, 'n', 2, null), ('q', 'b', 'k', 0, 'n', 2, 3);
  INSERT INTO identity_hits VALUES (1, 's', 2, 3), (2, 's', 3, 4);
  INSERT INTO identity_session_epochs VALUES ('sync', 4), ('events', 5);
  INSERT INTO identity_instance_keys VALUES ('sync', 'v'), ('events', 'w');
  INSERT INTO identity_security_events VALUES ('sync', 'k', 1, 2), ('events', 'k', 3, 4);
  INSERT INTO identity_write_probes VALUES ('sync', 1), ('events', 2);
  INSERT INTO identity_sign_ins VALUES ('a', 1, 'r', 'p', 'm', 1, null, 's', 'n', 2, 3, 4),
    ('b', 1, 'r', 'p', 'm', 0, 'b', null, null, 1, 3, 4);
  INSERT INTO sync_log VALUES (1, 'g', 2, 0, 'h', 7, 0, 0);
  INSERT INTO sync_generations VALUES ('e', 1), ('f', 2);
  INSERT INTO sync_marks VALUES (1, 'm'), (2, 'n');
  INSERT INTO sync_operations VALUES (1, 'note/1', '{}', 3), (2, 'note/2', '{}', 4);
  INSERT INTO sync_ledger VALUES ('o', '', 1), ('p', 'hash', 2);
  INSERT INTO sync_entities VALUES ('note/1', '[]'), ('note/2', '[1]');
  INSERT INTO sync_days VALUES (1, 2), (2, 3);
  INSERT INTO sync_keys VALUES (1, 'k', 'w', 'f', null), (2, 'l', 'w', 'f', 'o');
  INSERT INTO sync_sessions VALUES ('f', 'phone', 1, 2, 3, 4, 5, 6, null, 'n', 'h'),
    ('g', 'laptop', 1, 2, 3, 4, 5, 6, 7, null, 'h');
  INSERT INTO sync_access_tokens VALUES ('t', 'f', 9), ('u', 'g', 9);
  INSERT INTO sync_streams VALUES ('s', 'phone', 1), ('t', 'laptop', 2);
  INSERT INTO sync_browser_sessions VALUES ('s', 'a', 1, 2, 3, null, 'x'), ('t', 'a', 1, 2, 3, 'y', null);
  INSERT INTO events_profiles VALUES ('b', 'Europe/Berlin', 'de');
  INSERT INTO events_sessions VALUES ('s', 'b', 1, 2, 3, null, 'x');
  INSERT INTO events_interactions VALUES ('i', 'b', '{}', 1, 2);
  INSERT INTO events_grants VALUES ('g', 'b', 'app', 'x', 't', 1, 2, 3, 4);
  INSERT INTO events_code_epochs VALUES ('b', 3);
  INSERT INTO events_sources VALUES ('s', 'b', 'subscription', 'n', 1);
  INSERT INTO events_subscriptions (source_id, account_id, name, sealed_url, url_hash, default_type, rules,
    created_at, next_fetch_at, failures) VALUES ('s', 'b', 'n', 'u', 'h', 'task', '[]', 1, 2, 0);
  INSERT INTO events_counters VALUES ('b', 1, 2);
  INSERT INTO events_entries VALUES ('b', 'e', 's', '{}', 1, 2, null, 0);
`;
export const FORMER_TABLES = [...FORMER_ROWS.matchAll(/INSERT INTO (\w+)/g)].map(
  ([, name = ""]) => name,
);

/** The rows of all tables, without the instance. */
export async function readTables(
  database: Queryable,
  tables: readonly string[] = FORMER_TABLES,
): Promise<Record<string, Row[]>> {
  const found: Record<string, Row[]> = {};
  for (const table of tables) {
    const rows = await database.query(`SELECT * FROM ${table}`);
    found[table] = rows
      .map((row) =>
        Object.fromEntries(
          Object.entries(row)
            .filter(([name]) => name !== "instance")
            .sort(([a], [b]) => (a < b ? -1 : 1)),
        ),
      )
      .sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
  }
  return found;
}
