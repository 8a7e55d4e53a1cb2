-- The tables of sync of a new store, as the migrations up to this one leave them. This file never changes.
-- Times are milliseconds since 1970. Hashes are unpadded Base64URL. Every key begins with the instance.

-- One row: which log this is, and how far it goes. `history` is the name with which the marks of its commits
-- begin; null until a rollback was noted. `greatest_sequence` is the clock of the log: the greatest sequence
-- of all operations that it ever had, in any generation. The next operation may have any first sequence
-- while nothing is known of the clocks of devices. Once the owner has deleted everything, `is_cleared` is 1.
CREATE TABLE sync_log (
  instance BIGINT NOT NULL,
  id BIGINT NOT NULL CHECK (id = 1),
  generation TEXT NOT NULL,
  head_offset BIGINT NOT NULL,
  compaction_floor BIGINT NOT NULL,
  history TEXT,
  greatest_sequence BIGINT NOT NULL DEFAULT 0,
  takes_any_sequence BIGINT NOT NULL DEFAULT 1,
  is_cleared BIGINT NOT NULL DEFAULT 0,
  PRIMARY KEY (instance, id)
);

-- The generations before the present one: a device that has one of them knows an earlier state of this log.
CREATE TABLE sync_generations (
  instance BIGINT NOT NULL,
  generation TEXT NOT NULL,
  head_offset BIGINT NOT NULL,
  PRIMARY KEY (instance, generation)
);

-- What devices pull, as they pushed it. Compaction removes what later operations replaced.
CREATE TABLE sync_operations (
  instance BIGINT NOT NULL,
  log_offset BIGINT NOT NULL,
  entity_id TEXT NOT NULL,
  body TEXT NOT NULL,
  received_at BIGINT NOT NULL,
  PRIMARY KEY (instance, log_offset)
);

-- Every operation ever stored: rows stay, so that a replay is recognised for ever.
CREATE TABLE sync_ledger (
  instance BIGINT NOT NULL,
  operation_id TEXT NOT NULL,
  content_hash TEXT NOT NULL,
  log_offset BIGINT NOT NULL,
  PRIMARY KEY (instance, operation_id)
);

-- Each entity as its operations add up: every field with its revision, those of earlier lives included, and
-- the revisions of the lifecycle and of the last delete.
CREATE TABLE sync_entities (
  instance BIGINT NOT NULL,
  entity_id TEXT NOT NULL,
  state TEXT NOT NULL,
  PRIMARY KEY (instance, entity_id)
);

-- How many operations were stored on a day since 1970, in UTC. Compaction does not change it.
CREATE TABLE sync_days (
  instance BIGINT NOT NULL,
  day BIGINT NOT NULL,
  operations BIGINT NOT NULL,
  PRIMARY KEY (instance, day)
);

-- The keys of an end-to-end encrypted account, the first one at position 1, the account's key last. `write_hash` is
-- the SHA-256 of the secret that proves a key; `former_keys` and `origin` can be read by devices alone.
CREATE TABLE sync_keys (
  instance BIGINT NOT NULL,
  position BIGINT NOT NULL,
  key_id TEXT NOT NULL,
  write_hash TEXT NOT NULL,
  former_keys TEXT NOT NULL,
  origin TEXT,
  PRIMARY KEY (instance, position),
  UNIQUE (instance, key_id)
);

-- One live sign-in per device. `pulled_offset` says how far its last pull went, null until one was noted;
-- `name` is the one that the owner gave the device. `refresh_hash` is the SHA-256 of the last refresh token:
-- a token that merely looks right, made with a stolen key, is told apart from it.
CREATE TABLE sync_sessions (
  instance BIGINT NOT NULL,
  family TEXT NOT NULL,
  device_id TEXT NOT NULL,
  counter BIGINT NOT NULL,
  created_at BIGINT NOT NULL,
  rotated_at BIGINT NOT NULL,
  last_used_at BIGINT NOT NULL,
  idle_expires_at BIGINT NOT NULL,
  absolute_expires_at BIGINT NOT NULL,
  pulled_offset BIGINT,
  name TEXT,
  refresh_hash TEXT NOT NULL,
  PRIMARY KEY (instance, family),
  UNIQUE (instance, device_id)
);

CREATE TABLE sync_access_tokens (
  instance BIGINT NOT NULL,
  token_hash TEXT NOT NULL,
  family TEXT NOT NULL,
  expires_at BIGINT NOT NULL,
  PRIMARY KEY (instance, token_hash),
  FOREIGN KEY (instance, family) REFERENCES sync_sessions (instance, family) ON DELETE CASCADE
);

CREATE INDEX sync_access_tokens_family ON sync_access_tokens (instance, family);
CREATE INDEX sync_access_tokens_age ON sync_access_tokens (instance, expires_at);

-- The open streams of changes, so that all processes together keep the limits. A process that ends
-- without closing its streams leaves rows that expire.
CREATE TABLE sync_streams (
  instance BIGINT NOT NULL,
  stream_id TEXT NOT NULL,
  device_id TEXT NOT NULL,
  expires_at BIGINT NOT NULL,
  PRIMARY KEY (instance, stream_id)
);

-- Browsers that are signed in to the owner's page; the id is in a cookie. Backups leave them out.
CREATE TABLE sync_browser_sessions (
  instance BIGINT NOT NULL,
  session_hash TEXT NOT NULL,
  account_id TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  idle_expires_at BIGINT NOT NULL,
  absolute_expires_at BIGINT NOT NULL,
  browser TEXT,
  system TEXT,
  PRIMARY KEY (instance, session_hash),
  FOREIGN KEY (instance, account_id) REFERENCES identity_accounts (instance, account_id) ON DELETE CASCADE
);

CREATE INDEX sync_browser_sessions_account ON sync_browser_sessions (instance, account_id);
