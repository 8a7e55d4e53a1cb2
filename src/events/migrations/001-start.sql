-- The tables of events in 0.2.0. Once that is released, this file never changes: a change is a new migration.
-- Times are milliseconds since 1970. Hashes and sealed bytes are unpadded Base64URL.

CREATE TABLE events_profiles (
  account_id TEXT NOT NULL PRIMARY KEY REFERENCES identity_accounts (account_id) ON DELETE CASCADE,
  time_zone TEXT NOT NULL,
  language TEXT
);

-- Signed-in browsers.
CREATE TABLE events_sessions (
  session_hash TEXT NOT NULL PRIMARY KEY,
  account_id TEXT NOT NULL REFERENCES identity_accounts (account_id) ON DELETE CASCADE,
  created_at BIGINT NOT NULL,
  idle_expires_at BIGINT NOT NULL,
  absolute_expires_at BIGINT NOT NULL,
  browser TEXT,
  system TEXT
);

CREATE INDEX events_sessions_account ON events_sessions (account_id);
-- What has expired is deleted every ten minutes, and must be found without reading the rest.
CREATE INDEX events_sessions_idle ON events_sessions (idle_expires_at);
CREATE INDEX events_sessions_absolute ON events_sessions (absolute_expires_at);

-- Authorization requests that wait for a person. The request is JSON: what it holds comes from
-- outside and goes back unchanged.
CREATE TABLE events_interactions (
  interaction_hash TEXT NOT NULL PRIMARY KEY,
  binding_hash TEXT NOT NULL,
  request TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  expires_at BIGINT NOT NULL
);

CREATE INDEX events_interactions_age ON events_interactions (created_at);

-- What one app may read of one account's events.
CREATE TABLE events_grants (
  grant_id TEXT NOT NULL PRIMARY KEY,
  account_id TEXT NOT NULL REFERENCES identity_accounts (account_id) ON DELETE CASCADE,
  client_id TEXT NOT NULL,
  scope TEXT NOT NULL,
  token_hash TEXT NOT NULL UNIQUE,
  created_at BIGINT NOT NULL,
  last_used_at BIGINT NOT NULL,
  idle_expires_at BIGINT NOT NULL,
  absolute_expires_at BIGINT NOT NULL
);

CREATE INDEX events_grants_account ON events_grants (account_id);
CREATE INDEX events_grants_idle ON events_grants (idle_expires_at);
CREATE INDEX events_grants_absolute ON events_grants (absolute_expires_at);

-- How often an account revoked all that it had allowed. A code made before the last time is worth nothing;
-- counted and not dated, so that no clock has a say in it.
CREATE TABLE events_code_epochs (
  account_id TEXT NOT NULL PRIMARY KEY REFERENCES identity_accounts (account_id) ON DELETE CASCADE,
  epoch BIGINT NOT NULL
);

CREATE TABLE events_sources (
  source_id TEXT NOT NULL PRIMARY KEY,
  account_id TEXT NOT NULL REFERENCES identity_accounts (account_id) ON DELETE CASCADE,
  kind TEXT NOT NULL CHECK (kind IN ('manual', 'file', 'subscription')),
  name TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  UNIQUE (account_id, kind, name)
);

CREATE TABLE events_subscriptions (
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
  account_id TEXT NOT NULL PRIMARY KEY REFERENCES identity_accounts (account_id) ON DELETE CASCADE,
  last_stamp BIGINT NOT NULL,
  live_count BIGINT NOT NULL
);

-- The events. What a person sees of one is in `wire` alone, as apps get it; a tombstone's says only
-- that it is gone. A tombstone may outlive its source.
CREATE TABLE events_entries (
  account_id TEXT NOT NULL REFERENCES identity_accounts (account_id) ON DELETE CASCADE,
  event_id TEXT NOT NULL,
  source_id TEXT NOT NULL,
  wire TEXT NOT NULL,
  date_at BIGINT,
  updated_at BIGINT NOT NULL,
  deleted_at BIGINT,
  missing BIGINT NOT NULL,
  PRIMARY KEY (account_id, event_id)
);

-- A page of changes is a range of one of these, whatever else there is.
CREATE UNIQUE INDEX events_entries_changes ON events_entries (account_id, updated_at);
CREATE INDEX events_entries_live_changes ON events_entries (account_id, updated_at)
  WHERE deleted_at IS NULL;
CREATE INDEX events_entries_source ON events_entries (account_id, source_id);
CREATE INDEX events_entries_tombstones ON events_entries (deleted_at)
  WHERE deleted_at IS NOT NULL;
