-- Times are milliseconds since 1970. Hashes are unpadded Base64URL.

-- Challenges live for minutes, so the table is made anew: with whether a known browser asked for it, and
-- with all that the client belongs to, as keyed hashes: its networks, or its account.
DROP TABLE identity_challenges;

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

-- A browser has several tokens while it is not known which of them it received. `last_used` is a counter:
-- 0 until a browser came back. Of the tokens that there are, this is not known, so they count as used.
ALTER TABLE identity_known_browsers ADD COLUMN browser_id TEXT NOT NULL DEFAULT '';
ALTER TABLE identity_known_browsers ADD COLUMN last_used BIGINT NOT NULL DEFAULT 0;
UPDATE identity_known_browsers SET browser_id = token_hash, last_used = made;

-- A counter goes with its window. What was counted before the upgrade goes with the next pruning.
ALTER TABLE identity_hits ADD COLUMN window_end BIGINT NOT NULL DEFAULT 0;
CREATE INDEX identity_hits_age ON identity_hits (window_end);
