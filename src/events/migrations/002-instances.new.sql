-- The tables of events of a new store, as the migrations up to this one leave them. This file never changes.
-- Times are milliseconds since 1970. Hashes and sealed bytes are unpadded Base64URL. Accounts belong to an
-- instance; events has one, whose number is 1 in every row.

CREATE TABLE events_profiles (
  instance BIGINT NOT NULL DEFAULT 1,
  account_id TEXT NOT NULL PRIMARY KEY,
  time_zone TEXT NOT NULL,
  language TEXT,
  FOREIGN KEY (instance, account_id) REFERENCES identity_accounts (instance, account_id) ON DELETE CASCADE
);

-- Signed-in browsers.
CREATE TABLE events_sessions (
  instance BIGINT NOT NULL DEFAULT 1,
  session_hash TEXT NOT NULL PRIMARY KEY,
  account_id TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  idle_expires_at BIGINT NOT NULL,
  absolute_expires_at BIGINT NOT NULL,
  browser TEXT,
  system TEXT,
  FOREIGN KEY (instance, account_id) REFERENCES identity_accounts (instance, account_id) ON DELETE CASCADE
);

CREATE INDEX events_sessions_account ON events_sessions (account_id);
-- What has expired is deleted every ten minutes, and must be found without reading the rest.
CREATE INDEX events_sessions_idle ON events_sessions (idle_expires_at);
CREATE INDEX events_sessions_absolute ON events_sessions (absolute_expires_at);

-- Authorization requests that wait for a person. The request is JSON: what it holds comes from
-- outside and goes back unchanged.
CREATE TABLE events_interactions (
  instance BIGINT NOT NULL DEFAULT 1,
  interaction_hash TEXT NOT NULL PRIMARY KEY,
  binding_hash TEXT NOT NULL,
  request TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  expires_at BIGINT NOT NULL
);

CREATE INDEX events_interactions_age ON events_interactions (created_at);

-- What one app may read of one account's events.
CREATE TABLE events_grants (
  instance BIGINT NOT NULL DEFAULT 1,
  grant_id TEXT NOT NULL PRIMARY KEY,
  account_id TEXT NOT NULL,
  client_id TEXT NOT NULL,
  scope TEXT NOT NULL,
  token_hash TEXT NOT NULL UNIQUE,
  created_at BIGINT NOT NULL,
  last_used_at BIGINT NOT NULL,
  idle_expires_at BIGINT NOT NULL,
  absolute_expires_at BIGINT NOT NULL,
  FOREIGN KEY (instance, account_id) REFERENCES identity_accounts (instance, account_id) ON DELETE CASCADE
);

CREATE INDEX events_grants_account ON events_grants (account_id);
CREATE INDEX events_grants_idle ON events_grants (idle_expires_at);
CREATE INDEX events_grants_absolute ON events_grants (absolute_expires_at);

-- How often an account revoked all that it had allowed. A code made before the last time is worth nothing;
-- counted and not dated, so that no clock has a say in it.
CREATE TABLE events_code_epochs (
  instance BIGINT NOT NULL DEFAULT 1,
  account_id TEXT NOT NULL PRIMARY KEY,
  epoch BIGINT NOT NULL,
  FOREIGN KEY (instance, account_id) REFERENCES identity_accounts (instance, account_id) ON DELETE CASCADE
);

CREATE TABLE events_sources (
  instance BIGINT NOT NULL DEFAULT 1,
  source_id TEXT NOT NULL PRIMARY KEY,
  account_id TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('manual', 'file', 'subscription')),
  name TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  UNIQUE (account_id, kind, name),
  FOREIGN KEY (instance, account_id) REFERENCES identity_accounts (instance, account_id) ON DELETE CASCADE
);

CREATE TABLE events_subscriptions (
  instance BIGINT NOT NULL DEFAULT 1,
  source_id TEXT NOT NULL PRIMARY KEY REFERENCES events_sources (source_id) ON DELETE CASCADE,
  account_id TEXT NOT NULL,
  name TEXT NOT NULL,
  sealed_url TEXT NOT NULL,
  url_hash TEXT NOT NULL,
  default_type TEXT NOT NULL,
  rules TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  etag TEXT,
  last_modified TEXT,
  last_fetched_at BIGINT,
  last_succeeded_at BIGINT,
  last_error TEXT,
  warning TEXT,
  next_fetch_at BIGINT NOT NULL,
  failures BIGINT NOT NULL,
  entry_count BIGINT,
  report TEXT,
  UNIQUE (account_id, url_hash)
);

CREATE INDEX events_subscriptions_due ON events_subscriptions (next_fetch_at, source_id);

-- One row for each account that ever had an event: the last stamp it gave, and how many are live.
CREATE TABLE events_counters (
  instance BIGINT NOT NULL DEFAULT 1,
  account_id TEXT NOT NULL PRIMARY KEY,
  last_stamp BIGINT NOT NULL,
  live_count BIGINT NOT NULL,
  FOREIGN KEY (instance, account_id) REFERENCES identity_accounts (instance, account_id) ON DELETE CASCADE
);

-- The events. What a person sees of one is in `wire` alone, as apps get it; a tombstone's says only
-- that it is gone. A tombstone may outlive its source.
CREATE TABLE events_entries (
  instance BIGINT NOT NULL DEFAULT 1,
  account_id TEXT NOT NULL,
  event_id TEXT NOT NULL,
  source_id TEXT NOT NULL,
  wire TEXT NOT NULL,
  date_at BIGINT,
  updated_at BIGINT NOT NULL,
  deleted_at BIGINT,
  missing BIGINT NOT NULL,
  PRIMARY KEY (account_id, event_id),
  FOREIGN KEY (instance, account_id) REFERENCES identity_accounts (instance, account_id) ON DELETE CASCADE
);

-- A page of changes is a range of one of these, whatever else there is.
CREATE UNIQUE INDEX events_entries_changes ON events_entries (account_id, updated_at);
CREATE INDEX events_entries_live_changes ON events_entries (account_id, updated_at)
  WHERE deleted_at IS NULL;
CREATE INDEX events_entries_source ON events_entries (account_id, source_id);
CREATE INDEX events_entries_tombstones ON events_entries (deleted_at)
  WHERE deleted_at IS NOT NULL;
