-- How often an account ended everything that it had allowed. A code made before the last time is worth
-- nothing; counted and not dated, so that no clock has a say in it.
CREATE TABLE events_code_epochs (
  account_id TEXT NOT NULL PRIMARY KEY REFERENCES identity_accounts (account_id) ON DELETE CASCADE,
  epoch BIGINT NOT NULL
);
