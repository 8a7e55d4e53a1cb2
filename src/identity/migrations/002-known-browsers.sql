-- Times are milliseconds since 1970. Hashes are unpadded Base64URL.

-- Browsers from which an account has signed in. `made` is a counter, which no clock can set back.
CREATE TABLE identity_known_browsers (
  token_hash TEXT NOT NULL PRIMARY KEY,
  account_id TEXT NOT NULL REFERENCES identity_accounts (account_id) ON DELETE CASCADE,
  made BIGINT NOT NULL,
  expires_at BIGINT NOT NULL
);

CREATE INDEX identity_known_browsers_account ON identity_known_browsers (account_id, made);
CREATE INDEX identity_known_browsers_age ON identity_known_browsers (expires_at);

-- Challenges live for minutes, so the table is made anew: with the client that a challenge was made
-- for, as a keyed hash, and with a counter in place of the clock.
DROP TABLE identity_challenges;

CREATE TABLE identity_challenges (
  challenge_id TEXT NOT NULL PRIMARY KEY,
  realm TEXT NOT NULL,
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

CREATE INDEX identity_challenges_order ON identity_challenges (realm, client_hash, made);

-- How many requests of a subject there were in a window; subjects are keyed hashes.
CREATE TABLE identity_hits (
  window_start BIGINT NOT NULL,
  subject TEXT NOT NULL,
  hits BIGINT NOT NULL,
  PRIMARY KEY (window_start, subject)
);

-- How often sessions of a realm were revoked. A database whose epoch is behind was copied back.
CREATE TABLE identity_session_epochs (
  realm TEXT NOT NULL PRIMARY KEY,
  epoch BIGINT NOT NULL
);
