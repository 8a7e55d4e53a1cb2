-- Browsers that are signed in to the owner's page; the id is in a cookie. Times are milliseconds since
-- 1970. Backups leave them out.
CREATE TABLE sync_browser_sessions (
  session_hash TEXT NOT NULL PRIMARY KEY,
  account_id TEXT NOT NULL REFERENCES identity_accounts (account_id) ON DELETE CASCADE,
  created_at BIGINT NOT NULL,
  idle_expires_at BIGINT NOT NULL,
  absolute_expires_at BIGINT NOT NULL
);

CREATE INDEX sync_browser_sessions_account ON sync_browser_sessions (account_id);

-- The name that the owner gave the device.
ALTER TABLE sync_sessions ADD COLUMN name TEXT;

-- How many operations were stored on a day since 1970, in UTC. Compaction does not change it. Of the
-- days before this table, it has the operations that compaction left.
CREATE TABLE sync_days (
  day BIGINT NOT NULL PRIMARY KEY,
  operations BIGINT NOT NULL
);

INSERT INTO sync_days (day, operations)
  SELECT received_at / 86400000, count(*) FROM sync_operations GROUP BY received_at / 86400000;
