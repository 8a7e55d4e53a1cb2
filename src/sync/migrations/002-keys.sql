-- The keys of an end-to-end encrypted account, the first one at position 1, the account's key last. `write_hash` is
-- the SHA-256 of the secret that proves a key; `former_keys` and `origin` can be read by devices alone.
CREATE TABLE sync_keys (
  position BIGINT NOT NULL PRIMARY KEY,
  key_id TEXT NOT NULL UNIQUE,
  write_hash TEXT NOT NULL,
  former_keys TEXT NOT NULL,
  origin TEXT
);
