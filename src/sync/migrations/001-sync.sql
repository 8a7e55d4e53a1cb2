-- Times are milliseconds since 1970. Hashes are unpadded Base64URL.

-- One row: which log this is, and how far it goes.
CREATE TABLE sync_log (
  id BIGINT NOT NULL PRIMARY KEY CHECK (id = 1),
  generation TEXT NOT NULL,
  head_offset BIGINT NOT NULL,
  compaction_floor BIGINT NOT NULL
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

-- Each entity as its operations add up.
CREATE TABLE sync_entities (
  entity_id TEXT NOT NULL PRIMARY KEY,
  state TEXT NOT NULL
);

-- One live sign-in per device.
CREATE TABLE sync_sessions (
  family TEXT NOT NULL PRIMARY KEY,
  device_id TEXT NOT NULL UNIQUE,
  counter BIGINT NOT NULL,
  created_at BIGINT NOT NULL,
  rotated_at BIGINT NOT NULL,
  last_used_at BIGINT NOT NULL,
  idle_expires_at BIGINT NOT NULL,
  absolute_expires_at BIGINT NOT NULL
);

CREATE TABLE sync_access_tokens (
  token_hash TEXT NOT NULL PRIMARY KEY,
  family TEXT NOT NULL REFERENCES sync_sessions (family) ON DELETE CASCADE,
  expires_at BIGINT NOT NULL
);

CREATE INDEX sync_access_tokens_family ON sync_access_tokens (family);
CREATE INDEX sync_access_tokens_age ON sync_access_tokens (expires_at);
