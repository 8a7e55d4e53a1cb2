-- Every key begins with the instance. A file has one instance, whose number is 1; the statements are those of
-- PostgreSQL, where one set of tables has all instances.

-- Other tables refer to accounts, and dropping the table would delete their rows, so it is changed in place.
ALTER TABLE identity_accounts ADD COLUMN instance BIGINT NOT NULL DEFAULT 1;
CREATE UNIQUE INDEX identity_accounts_instance ON identity_accounts (instance, account_id);
DROP INDEX identity_accounts_username;
CREATE UNIQUE INDEX identity_accounts_username ON identity_accounts (instance, realm, username);
DROP INDEX identity_accounts_one_for_sync;
CREATE UNIQUE INDEX identity_accounts_one_for_sync ON identity_accounts (instance, realm) WHERE realm = 'sync';

-- SQLite changes no primary key, so the others are made anew.
ALTER TABLE identity_challenges RENAME TO before_challenges;
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
INSERT INTO identity_challenges
  SELECT 1, challenge_id, realm, is_known, wide_hash, middle_hash, client_hash, made, username, attempt, salt,
    iterations, server_nonce, created_at, expires_at FROM before_challenges;
DROP TABLE before_challenges;
CREATE INDEX identity_challenges_made ON identity_challenges (instance, realm, made);
CREATE INDEX identity_challenges_groups
  ON identity_challenges (instance, realm, is_known, wide_hash, middle_hash, client_hash, made);

ALTER TABLE identity_secrets RENAME TO before_secrets;
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
INSERT INTO identity_secrets
  SELECT 1, secret_hash, realm, purpose, bound, expires_at, used_at, keep_until FROM before_secrets;
DROP TABLE before_secrets;
CREATE INDEX identity_secrets_age ON identity_secrets (instance, keep_until);

ALTER TABLE identity_failures RENAME TO before_failures;
CREATE TABLE identity_failures (
  instance BIGINT NOT NULL,
  realm TEXT NOT NULL,
  subject TEXT NOT NULL,
  failures BIGINT NOT NULL,
  last_failure_at BIGINT NOT NULL,
  blocked_until BIGINT NOT NULL,
  PRIMARY KEY (instance, realm, subject)
);
INSERT INTO identity_failures
  SELECT 1, realm, subject, failures, last_failure_at, blocked_until FROM before_failures;
DROP TABLE before_failures;
CREATE INDEX identity_failures_age ON identity_failures (instance, last_failure_at);

ALTER TABLE identity_known_browsers RENAME TO before_known_browsers;
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
INSERT INTO identity_known_browsers
  SELECT 1, token_hash, account_id, made, expires_at, browser_id, last_used, has_signed_in
  FROM before_known_browsers;
DROP TABLE before_known_browsers;
CREATE INDEX identity_known_browsers_account ON identity_known_browsers (instance, account_id, made);
CREATE INDEX identity_known_browsers_age ON identity_known_browsers (instance, expires_at);

ALTER TABLE identity_passkeys RENAME TO before_passkeys;
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
INSERT INTO identity_passkeys
  SELECT 1, credential_id, account_id, public_key, counter, name, created_at, last_used_at
  FROM before_passkeys;
DROP TABLE before_passkeys;
CREATE INDEX identity_passkeys_account ON identity_passkeys (instance, account_id, created_at, credential_id);

ALTER TABLE identity_hits RENAME TO before_hits;
CREATE TABLE identity_hits (
  instance BIGINT NOT NULL,
  window_start BIGINT NOT NULL,
  subject TEXT NOT NULL,
  hits BIGINT NOT NULL,
  window_end BIGINT NOT NULL DEFAULT 0,
  PRIMARY KEY (instance, window_start, subject)
);
INSERT INTO identity_hits SELECT 1, window_start, subject, hits, window_end FROM before_hits;
DROP TABLE before_hits;
CREATE INDEX identity_hits_age ON identity_hits (instance, window_end);

ALTER TABLE identity_session_epochs RENAME TO before_session_epochs;
CREATE TABLE identity_session_epochs (
  instance BIGINT NOT NULL,
  realm TEXT NOT NULL,
  epoch BIGINT NOT NULL,
  PRIMARY KEY (instance, realm)
);
INSERT INTO identity_session_epochs SELECT 1, realm, epoch FROM before_session_epochs;
DROP TABLE before_session_epochs;

ALTER TABLE identity_instance_keys RENAME TO before_instance_keys;
CREATE TABLE identity_instance_keys (
  instance BIGINT NOT NULL,
  realm TEXT NOT NULL,
  check_value TEXT NOT NULL,
  PRIMARY KEY (instance, realm)
);
INSERT INTO identity_instance_keys SELECT 1, realm, check_value FROM before_instance_keys;
DROP TABLE before_instance_keys;

ALTER TABLE identity_security_events RENAME TO before_security_events;
CREATE TABLE identity_security_events (
  instance BIGINT NOT NULL,
  realm TEXT NOT NULL,
  kind TEXT NOT NULL,
  total BIGINT NOT NULL,
  last_at BIGINT NOT NULL,
  PRIMARY KEY (instance, realm, kind)
);
INSERT INTO identity_security_events SELECT 1, realm, kind, total, last_at FROM before_security_events;
DROP TABLE before_security_events;

ALTER TABLE identity_write_probes RENAME TO before_write_probes;
CREATE TABLE identity_write_probes (
  instance BIGINT NOT NULL,
  realm TEXT NOT NULL,
  written_at BIGINT NOT NULL,
  PRIMARY KEY (instance, realm)
);
INSERT INTO identity_write_probes SELECT 1, realm, written_at FROM before_write_probes;
DROP TABLE before_write_probes;

ALTER TABLE identity_sign_ins RENAME TO before_sign_ins;
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
INSERT INTO identity_sign_ins
  SELECT 1, account_id, made, result, purpose, method, is_new, browser, system, network, tries, first_at, last_at
  FROM before_sign_ins;
DROP TABLE before_sign_ins;
CREATE INDEX identity_sign_ins_age ON identity_sign_ins (instance, last_at);
