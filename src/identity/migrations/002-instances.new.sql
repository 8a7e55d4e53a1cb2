-- The tables of accounts and sign-in of a new store, as the migrations up to this one leave them. This file never changes.
-- Times are milliseconds since 1970. Hashes and sealed bytes are unpadded Base64URL. Every key begins with the
-- instance: a PostgreSQL database may have many in one set of tables, a file has one, whose number is 1.

CREATE TABLE identity_accounts (
  instance BIGINT NOT NULL,
  account_id TEXT NOT NULL,
  realm TEXT NOT NULL,
  username TEXT NOT NULL,
  sealed_verifier TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  password_changed_at BIGINT NOT NULL,
  -- 0 for an account that signs in with passkeys alone; its sealed verifier matches no password.
  has_password BIGINT NOT NULL DEFAULT 1,
  PRIMARY KEY (instance, account_id)
);

CREATE UNIQUE INDEX identity_accounts_username ON identity_accounts (instance, realm, username);

-- Personal sync has one account. The store itself ensures it.
CREATE UNIQUE INDEX identity_accounts_one_for_sync ON identity_accounts (instance, realm) WHERE realm = 'sync';

-- `made` is a counter, which no clock can set back. Each challenge has whether a known browser asked for it,
-- and all that the client belongs to, as keyed hashes: its networks, or its account.
CREATE TABLE identity_challenges (
  instance BIGINT NOT NULL,
  challenge_id TEXT NOT NULL,
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
  expires_at BIGINT NOT NULL,
  PRIMARY KEY (instance, challenge_id)
);

CREATE INDEX identity_challenges_made ON identity_challenges (instance, realm, made);
CREATE INDEX identity_challenges_groups
  ON identity_challenges (instance, realm, is_known, wide_hash, middle_hash, client_hash, made);

CREATE TABLE identity_secrets (
  instance BIGINT NOT NULL,
  secret_hash TEXT NOT NULL,
  realm TEXT NOT NULL,
  purpose TEXT NOT NULL,
  bound TEXT NOT NULL,
  expires_at BIGINT NOT NULL,
  used_at BIGINT,
  keep_until BIGINT NOT NULL,
  PRIMARY KEY (instance, secret_hash)
);

CREATE INDEX identity_secrets_age ON identity_secrets (instance, keep_until);

CREATE TABLE identity_failures (
  instance BIGINT NOT NULL,
  realm TEXT NOT NULL,
  subject TEXT NOT NULL,
  failures BIGINT NOT NULL,
  last_failure_at BIGINT NOT NULL,
  blocked_until BIGINT NOT NULL,
  PRIMARY KEY (instance, realm, subject)
);

CREATE INDEX identity_failures_age ON identity_failures (instance, last_failure_at);

-- Browsers from which an account has signed in. A browser has several tokens while it is not known which of
-- them it received. `made` and `last_used` are counters; `last_used` is 0 until the browser came back.
-- A sign-in link makes a browser known before it has signed in: `has_signed_in` is 0 until it has.
CREATE TABLE identity_known_browsers (
  instance BIGINT NOT NULL,
  token_hash TEXT NOT NULL,
  account_id TEXT NOT NULL,
  made BIGINT NOT NULL,
  expires_at BIGINT NOT NULL,
  browser_id TEXT NOT NULL DEFAULT '',
  last_used BIGINT NOT NULL DEFAULT 0,
  has_signed_in BIGINT NOT NULL DEFAULT 1,
  PRIMARY KEY (instance, token_hash),
  FOREIGN KEY (instance, account_id) REFERENCES identity_accounts (instance, account_id) ON DELETE CASCADE
);

CREATE INDEX identity_known_browsers_account ON identity_known_browsers (instance, account_id, made);
CREATE INDEX identity_known_browsers_age ON identity_known_browsers (instance, expires_at);

-- WebAuthn credentials. `counter` is that of the last signature; 0 for ever where an authenticator has none.
CREATE TABLE identity_passkeys (
  instance BIGINT NOT NULL,
  credential_id TEXT NOT NULL,
  account_id TEXT NOT NULL,
  public_key TEXT NOT NULL,
  counter BIGINT NOT NULL,
  name TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  last_used_at BIGINT,
  PRIMARY KEY (instance, credential_id),
  FOREIGN KEY (instance, account_id) REFERENCES identity_accounts (instance, account_id) ON DELETE CASCADE
);

CREATE INDEX identity_passkeys_account ON identity_passkeys (instance, account_id, created_at, credential_id);

-- How many requests of a subject there were in a window; subjects are keyed hashes.
CREATE TABLE identity_hits (
  instance BIGINT NOT NULL,
  window_start BIGINT NOT NULL,
  subject TEXT NOT NULL,
  hits BIGINT NOT NULL,
  window_end BIGINT NOT NULL DEFAULT 0,
  PRIMARY KEY (instance, window_start, subject)
);

CREATE INDEX identity_hits_age ON identity_hits (instance, window_end);

-- How often sessions of a realm were revoked. A database whose epoch is behind was rolled back.
CREATE TABLE identity_session_epochs (
  instance BIGINT NOT NULL,
  realm TEXT NOT NULL,
  epoch BIGINT NOT NULL,
  PRIMARY KEY (instance, realm)
);

-- Which instance key the rows of a realm belong to: a value that only this key can make.
CREATE TABLE identity_instance_keys (
  instance BIGINT NOT NULL,
  realm TEXT NOT NULL,
  check_value TEXT NOT NULL,
  PRIMARY KEY (instance, realm)
);

-- How often each kind of security event happened; never reset.
CREATE TABLE identity_security_events (
  instance BIGINT NOT NULL,
  realm TEXT NOT NULL,
  kind TEXT NOT NULL,
  total BIGINT NOT NULL,
  last_at BIGINT NOT NULL,
  PRIMARY KEY (instance, realm, kind)
);

-- One row per realm, written to find out whether the store can be written.
CREATE TABLE identity_write_probes (
  instance BIGINT NOT NULL,
  realm TEXT NOT NULL,
  written_at BIGINT NOT NULL,
  PRIMARY KEY (instance, realm)
);

-- Recent sign-ins of an account and those that were refused. `made` is a counter. Refusals of one network within
-- an hour are one row: `tries` counts them, from `first_at` to `last_at`.
CREATE TABLE identity_sign_ins (
  instance BIGINT NOT NULL,
  account_id TEXT NOT NULL,
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
  PRIMARY KEY (instance, account_id, made),
  FOREIGN KEY (instance, account_id) REFERENCES identity_accounts (instance, account_id) ON DELETE CASCADE
);

CREATE INDEX identity_sign_ins_age ON identity_sign_ins (instance, last_at);
