-- The open streams of changes, so that all processes together keep the limits. A process that ends
-- without closing its streams leaves rows that expire. Times are milliseconds since 1970.
CREATE TABLE sync_streams (
  stream_id TEXT NOT NULL PRIMARY KEY,
  device_id TEXT NOT NULL,
  expires_at BIGINT NOT NULL
);
