-- Every key begins with the instance, whose number in a file is 1: see the migration of identity.

ALTER TABLE sync_marks RENAME TO before_marks;
-- Without a row id, a row is one entry of one tree.
CREATE TABLE sync_marks (
  instance BIGINT NOT NULL,
  log_offset BIGINT NOT NULL,
  mark TEXT NOT NULL,
  PRIMARY KEY (instance, log_offset)
) WITHOUT ROWID;
INSERT INTO sync_marks SELECT 1, log_offset, mark FROM before_marks ORDER BY log_offset;
DROP TABLE before_marks;

ALTER TABLE sync_log RENAME TO before_log;
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
INSERT INTO sync_log
  SELECT 1, id, generation, head_offset, compaction_floor, history, greatest_sequence, takes_any_sequence,
    is_cleared FROM before_log;
DROP TABLE before_log;

ALTER TABLE sync_generations RENAME TO before_generations;
CREATE TABLE sync_generations (
  instance BIGINT NOT NULL,
  generation TEXT NOT NULL,
  head_offset BIGINT NOT NULL,
  PRIMARY KEY (instance, generation)
);
INSERT INTO sync_generations SELECT 1, generation, head_offset FROM before_generations;
DROP TABLE before_generations;

ALTER TABLE sync_operations RENAME TO before_operations;
CREATE TABLE sync_operations (
  instance BIGINT NOT NULL,
  log_offset BIGINT NOT NULL,
  entity_id TEXT NOT NULL,
  body TEXT NOT NULL,
  received_at BIGINT NOT NULL,
  PRIMARY KEY (instance, log_offset)
);
INSERT INTO sync_operations
  SELECT 1, log_offset, entity_id, body, received_at FROM before_operations ORDER BY log_offset;
DROP TABLE before_operations;

ALTER TABLE sync_ledger RENAME TO before_ledger;
CREATE TABLE sync_ledger (
  instance BIGINT NOT NULL,
  operation_id TEXT NOT NULL,
  content_hash TEXT NOT NULL,
  log_offset BIGINT NOT NULL,
  PRIMARY KEY (instance, operation_id)
);
INSERT INTO sync_ledger
  SELECT 1, operation_id, content_hash, log_offset FROM before_ledger ORDER BY log_offset;
DROP TABLE before_ledger;

ALTER TABLE sync_entities RENAME TO before_entities;
CREATE TABLE sync_entities (
  instance BIGINT NOT NULL,
  entity_id TEXT NOT NULL,
  state TEXT NOT NULL,
  PRIMARY KEY (instance, entity_id)
);
INSERT INTO sync_entities SELECT 1, entity_id, state FROM before_entities;
DROP TABLE before_entities;

ALTER TABLE sync_days RENAME TO before_days;
CREATE TABLE sync_days (
  instance BIGINT NOT NULL,
  day BIGINT NOT NULL,
  operations BIGINT NOT NULL,
  PRIMARY KEY (instance, day)
);
INSERT INTO sync_days SELECT 1, day, operations FROM before_days;
DROP TABLE before_days;

ALTER TABLE sync_keys RENAME TO before_keys;
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
INSERT INTO sync_keys SELECT 1, position, key_id, write_hash, former_keys, origin FROM before_keys;
DROP TABLE before_keys;

-- What refers to a table goes before it, or its rows would be deleted with those of the table.
ALTER TABLE sync_access_tokens RENAME TO before_access_tokens;
ALTER TABLE sync_sessions RENAME TO before_sessions;
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
INSERT INTO sync_sessions
  SELECT 1, family, device_id, counter, created_at, rotated_at, last_used_at, idle_expires_at,
    absolute_expires_at, pulled_offset, name, refresh_hash FROM before_sessions;
CREATE TABLE sync_access_tokens (
  instance BIGINT NOT NULL,
  token_hash TEXT NOT NULL,
  family TEXT NOT NULL,
  expires_at BIGINT NOT NULL,
  PRIMARY KEY (instance, token_hash),
  FOREIGN KEY (instance, family) REFERENCES sync_sessions (instance, family) ON DELETE CASCADE
);
INSERT INTO sync_access_tokens SELECT 1, token_hash, family, expires_at FROM before_access_tokens;
DROP TABLE before_access_tokens;
DROP TABLE before_sessions;
CREATE INDEX sync_access_tokens_family ON sync_access_tokens (instance, family);
CREATE INDEX sync_access_tokens_age ON sync_access_tokens (instance, expires_at);

ALTER TABLE sync_streams RENAME TO before_streams;
CREATE TABLE sync_streams (
  instance BIGINT NOT NULL,
  stream_id TEXT NOT NULL,
  device_id TEXT NOT NULL,
  expires_at BIGINT NOT NULL,
  PRIMARY KEY (instance, stream_id)
);
INSERT INTO sync_streams SELECT 1, stream_id, device_id, expires_at FROM before_streams;
DROP TABLE before_streams;

ALTER TABLE sync_browser_sessions RENAME TO before_browser_sessions;
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
INSERT INTO sync_browser_sessions
  SELECT 1, session_hash, account_id, created_at, idle_expires_at, absolute_expires_at, browser, system
  FROM before_browser_sessions;
DROP TABLE before_browser_sessions;
CREATE INDEX sync_browser_sessions_account ON sync_browser_sessions (instance, account_id);
