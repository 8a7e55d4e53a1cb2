-- The tables of sync in 0.2.0. Once that is released, this file never changes: a change is a new migration.
-- Times are milliseconds since 1970. Hashes are unpadded Base64URL.

-- One row: which log this is, and how far it goes. `history` is the name with which the marks of its commits
-- begin; null until a rollback was noted. `greatest_sequence` is the clock of the log: the greatest sequence
-- of all operations that it ever had, in any generation. The next operation may have any first sequence
-- while nothing is known of the clocks of devices. Once the owner has deleted everything, `is_cleared` is 1.
CREATE TABLE sync_log (
  id BIGINT NOT NULL PRIMARY KEY CHECK (id = 1),
  generation TEXT NOT NULL,
  head_offset BIGINT NOT NULL,
  compaction_floor BIGINT NOT NULL,
  history TEXT,
  greatest_sequence BIGINT NOT NULL DEFAULT 0,
  takes_any_sequence BIGINT NOT NULL DEFAULT 1,
  is_cleared BIGINT NOT NULL DEFAULT 0
);

-- The generations before the present one: a device that has one of them knows an earlier state of this log.
CREATE TABLE sync_generations (
  generation TEXT NOT NULL PRIMARY KEY,
  head_offset BIGINT NOT NULL
);

-- What devices pull, as they pushed it. Compaction removes what later operations replaced.
CREATE TABLE sync_operations (
  log_offset BIGINT NOT NULL PRIMARY KEY,
  entity_id TEXT NOT NULL,
  body TEXT NOT NULL,
  received_at BIGINT NOT NULL
);

-- Every operation ever stored: rows stay, so that a replay is recognised for ever.
CREATE TABLE sync_ledger (
  operation_id TEXT NOT NULL PRIMARY KEY,
  content_hash TEXT NOT NULL,
  log_offset BIGINT NOT NULL
);

-- Each entity as its operations add up: every field with its revision, those of earlier lives included, and
-- the revisions of the lifecycle and of the last delete.
CREATE TABLE sync_entities (
  entity_id TEXT NOT NULL PRIMARY KEY,
  state TEXT NOT NULL
);

-- How many operations were stored on a day since 1970, in UTC. Compaction does not change it.
CREATE TABLE sync_days (
  day BIGINT NOT NULL PRIMARY KEY,
  operations BIGINT NOT NULL
);

-- One live sign-in per device. `pulled_offset` says how far its last pull went, null until one was noted;
-- `name` is the one that the owner gave the device. `refresh_hash` is the SHA-256 of the last refresh token:
-- a token that merely looks right, made with a stolen key, is told apart from it.
CREATE TABLE sync_sessions (
  family TEXT NOT NULL PRIMARY KEY,
  device_id TEXT NOT NULL UNIQUE,
  counter BIGINT NOT NULL,
  created_at BIGINT NOT NULL,
  rotated_at BIGINT NOT NULL,
  last_used_at BIGINT NOT NULL,
  idle_expires_at BIGINT NOT NULL,
  absolute_expires_at BIGINT NOT NULL,
  pulled_offset BIGINT,
  name TEXT,
  refresh_hash TEXT NOT NULL
);

CREATE TABLE sync_access_tokens (
  token_hash TEXT NOT NULL PRIMARY KEY,
  family TEXT NOT NULL REFERENCES sync_sessions (family) ON DELETE CASCADE,
  expires_at BIGINT NOT NULL
);

CREATE INDEX sync_access_tokens_family ON sync_access_tokens (family);
CREATE INDEX sync_access_tokens_age ON sync_access_tokens (expires_at);

-- The open streams of changes, so that all processes together keep the limits. A process that ends
-- without closing its streams leaves rows that expire.
CREATE TABLE sync_streams (
  stream_id TEXT NOT NULL PRIMARY KEY,
  device_id TEXT NOT NULL,
  expires_at BIGINT NOT NULL
);

-- Browsers that are signed in to the owner's page; the id is in a cookie. Backups leave them out.
CREATE TABLE sync_browser_sessions (
  session_hash TEXT NOT NULL PRIMARY KEY,
  account_id TEXT NOT NULL REFERENCES identity_accounts (account_id) ON DELETE CASCADE,
  created_at BIGINT NOT NULL,
  idle_expires_at BIGINT NOT NULL,
  absolute_expires_at BIGINT NOT NULL,
  browser TEXT,
  system TEXT
);

CREATE INDEX sync_browser_sessions_account ON sync_browser_sessions (account_id);
