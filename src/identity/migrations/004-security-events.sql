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
