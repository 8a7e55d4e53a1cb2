-- Times are milliseconds since 1970. Hashes and sealed bytes are unpadded Base64URL.

CREATE TABLE identity_accounts (
  account_id TEXT NOT NULL PRIMARY KEY,
  realm TEXT NOT NULL,
  username TEXT NOT NULL,
  sealed_verifier TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  password_changed_at BIGINT NOT NULL
);

CREATE UNIQUE INDEX identity_accounts_username ON identity_accounts (realm, username);

-- Personal sync has one account. Not the code but the store sees to it.
CREATE UNIQUE INDEX identity_accounts_one_for_sync ON identity_accounts (realm) WHERE realm = 'sync';

CREATE TABLE identity_challenges (
  challenge_id TEXT NOT NULL PRIMARY KEY,
  realm TEXT NOT NULL,
  username TEXT NOT NULL,
  attempt TEXT NOT NULL,
  salt TEXT NOT NULL,
  iterations BIGINT NOT NULL,
  server_nonce TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  expires_at BIGINT NOT NULL
);

CREATE INDEX identity_challenges_age ON identity_challenges (realm, created_at);

CREATE TABLE identity_secrets (
  secret_hash TEXT NOT NULL PRIMARY KEY,
  realm TEXT NOT NULL,
  purpose TEXT NOT NULL,
  bound TEXT NOT NULL,
  expires_at BIGINT NOT NULL,
  used_at BIGINT,
  keep_until BIGINT NOT NULL
);

CREATE INDEX identity_secrets_age ON identity_secrets (keep_until);

CREATE TABLE identity_failures (
  realm TEXT NOT NULL,
  subject TEXT NOT NULL,
  failures BIGINT NOT NULL,
  last_failure_at BIGINT NOT NULL,
  blocked_until BIGINT NOT NULL,
  PRIMARY KEY (realm, subject)
);

CREATE INDEX identity_failures_age ON identity_failures (last_failure_at);
