-- The tables of accounts and sign-in in 0.2.0. Once that is released, this file never changes: a change is a new migration.
-- Times are milliseconds since 1970. Hashes and sealed bytes are unpadded Base64URL.

CREATE TABLE identity_accounts (
  account_id TEXT NOT NULL PRIMARY KEY,
  realm TEXT NOT NULL,
  username TEXT NOT NULL,
  sealed_verifier TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  password_changed_at BIGINT NOT NULL,
  -- 0 for an account that signs in with passkeys alone; its sealed verifier matches no password.
  has_password BIGINT NOT NULL DEFAULT 1
);

CREATE UNIQUE INDEX identity_accounts_username ON identity_accounts (realm, username);

-- Personal sync has one account. The store itself ensures it.
CREATE UNIQUE INDEX identity_accounts_one_for_sync ON identity_accounts (realm) WHERE realm = 'sync';

-- `made` is a counter, which no clock can set back. Each challenge has whether a known browser asked for it,
-- and all that the client belongs to, as keyed hashes: its networks, or its account.
CREATE TABLE identity_challenges (
  challenge_id TEXT NOT NULL PRIMARY KEY,
  realm TEXT NOT NULL,
  is_known BIGINT NOT NULL,
  wide_hash TEXT NOT NULL,
  middle_hash TEXT NOT NULL,
  client_hash TEXT NOT NULL,
  made BIGINT NOT NULL,
  username TEXT NOT NULL,
  attempt TEXT NOT NULL,
  salt TEXT NOT NULL,
  iterations BIGINT NOT NULL,
  server_nonce TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  expires_at BIGINT NOT NULL
);

CREATE INDEX identity_challenges_made ON identity_challenges (realm, made);
CREATE INDEX identity_challenges_groups
  ON identity_challenges (realm, is_known, wide_hash, middle_hash, client_hash, made);

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

-- Browsers from which an account has signed in. A browser has several tokens while it is not known which of
-- them it received. `made` and `last_used` are counters; `last_used` is 0 until the browser came back.
-- A sign-in link makes a browser known before it has signed in: `has_signed_in` is 0 until it has.
CREATE TABLE identity_known_browsers (
  token_hash TEXT NOT NULL PRIMARY KEY,
  account_id TEXT NOT NULL REFERENCES identity_accounts (account_id) ON DELETE CASCADE,
  made BIGINT NOT NULL,
  expires_at BIGINT NOT NULL,
  browser_id TEXT NOT NULL DEFAULT '',
  last_used BIGINT NOT NULL DEFAULT 0,
  has_signed_in BIGINT NOT NULL DEFAULT 1
);

CREATE INDEX identity_known_browsers_account ON identity_known_browsers (account_id, made);
CREATE INDEX identity_known_browsers_age ON identity_known_browsers (expires_at);

-- WebAuthn credentials. `counter` is that of the last signature; 0 for ever where an authenticator has none.
CREATE TABLE identity_passkeys (
  credential_id TEXT NOT NULL PRIMARY KEY,
  account_id TEXT NOT NULL REFERENCES identity_accounts (account_id) ON DELETE CASCADE,
  public_key TEXT NOT NULL,
  counter BIGINT NOT NULL,
  name TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  last_used_at BIGINT
);

CREATE INDEX identity_passkeys_account ON identity_passkeys (account_id, created_at, credential_id);

-- How many requests of a subject there were in a window; subjects are keyed hashes.
CREATE TABLE identity_hits (
  window_start BIGINT NOT NULL,
  subject TEXT NOT NULL,
  hits BIGINT NOT NULL,
  window_end BIGINT NOT NULL DEFAULT 0,
  PRIMARY KEY (window_start, subject)
);

CREATE INDEX identity_hits_age ON identity_hits (window_end);

-- How often sessions of a realm were revoked. A database whose epoch is behind was rolled back.
CREATE TABLE identity_session_epochs (
  realm TEXT NOT NULL PRIMARY KEY,
  epoch BIGINT NOT NULL
);

-- Which instance key the rows of a realm belong to: a value that only this key can make.
CREATE TABLE identity_instance_keys (
  realm TEXT NOT NULL PRIMARY KEY,
  check_value TEXT NOT NULL
);

-- How often each kind of security event happened; never reset.
CREATE TABLE identity_security_events (
  realm TEXT NOT NULL,
  kind TEXT NOT NULL,
  total BIGINT NOT NULL,
  last_at BIGINT NOT NULL,
  PRIMARY KEY (realm, kind)
);

-- One row per realm, written to find out whether the store can be written.
CREATE TABLE identity_write_probes (
  realm TEXT NOT NULL PRIMARY KEY,
  written_at BIGINT NOT NULL
);

-- Recent sign-ins of an account and those that were refused. `made` is a counter. Refusals of one network within
-- an hour are one row: `tries` counts them, from `first_at` to `last_at`.
CREATE TABLE identity_sign_ins (
  account_id TEXT NOT NULL REFERENCES identity_accounts (account_id) ON DELETE CASCADE,
  made BIGINT NOT NULL,
  result TEXT NOT NULL,
  purpose TEXT NOT NULL,
  method TEXT NOT NULL,
  is_new BIGINT NOT NULL,
  browser TEXT,
  system TEXT,
  network TEXT,
  tries BIGINT NOT NULL,
  first_at BIGINT NOT NULL,
  last_at BIGINT NOT NULL,
  PRIMARY KEY (account_id, made)
);

CREATE INDEX identity_sign_ins_age ON identity_sign_ins (last_at);
