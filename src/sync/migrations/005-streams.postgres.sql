-- The open streams of changes, so that all processes together keep the limits. A process that ends
-- without closing its streams leaves rows that expire. Times are milliseconds since 1970.
CREATE TABLE sync_streams (
  stream_id TEXT NOT NULL PRIMARY KEY,
  device_id TEXT NOT NULL,
  expires_at BIGINT NOT NULL
);

-- Processes with open streams listen to what other processes change. The notification has no content:
-- it tells that the head has moved or a session has ended, and is sent once for a commit.
CREATE FUNCTION sync_notify_changes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('trellis_sync_changes', '');
  RETURN NULL;
END;
$$;

CREATE TRIGGER sync_log_changes AFTER UPDATE ON sync_log
  FOR EACH STATEMENT EXECUTE FUNCTION sync_notify_changes();
CREATE TRIGGER sync_sessions_changes AFTER DELETE ON sync_sessions
  FOR EACH STATEMENT EXECUTE FUNCTION sync_notify_changes();
