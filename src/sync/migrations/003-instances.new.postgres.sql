-- A random mark for each commit, under its last offset: cursors prove by it which history they have seen.
CREATE TABLE sync_marks (
  instance BIGINT NOT NULL,
  log_offset BIGINT NOT NULL,
  mark TEXT NOT NULL,
  PRIMARY KEY (instance, log_offset)
);

-- The database itself keeps instances apart: a statement that forgot its condition shows nothing of another.
ALTER TABLE sync_marks ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY sync_marks_instance ON sync_marks
  USING (instance = nullif(current_setting('trellis.instance', true), '')::bigint);
ALTER TABLE sync_log ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY sync_log_instance ON sync_log
  USING (instance = nullif(current_setting('trellis.instance', true), '')::bigint);
ALTER TABLE sync_generations ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY sync_generations_instance ON sync_generations
  USING (instance = nullif(current_setting('trellis.instance', true), '')::bigint);
ALTER TABLE sync_operations ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY sync_operations_instance ON sync_operations
  USING (instance = nullif(current_setting('trellis.instance', true), '')::bigint);
ALTER TABLE sync_ledger ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY sync_ledger_instance ON sync_ledger
  USING (instance = nullif(current_setting('trellis.instance', true), '')::bigint);
ALTER TABLE sync_entities ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY sync_entities_instance ON sync_entities
  USING (instance = nullif(current_setting('trellis.instance', true), '')::bigint);
ALTER TABLE sync_days ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY sync_days_instance ON sync_days
  USING (instance = nullif(current_setting('trellis.instance', true), '')::bigint);
ALTER TABLE sync_keys ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY sync_keys_instance ON sync_keys
  USING (instance = nullif(current_setting('trellis.instance', true), '')::bigint);
ALTER TABLE sync_sessions ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY sync_sessions_instance ON sync_sessions
  USING (instance = nullif(current_setting('trellis.instance', true), '')::bigint);
ALTER TABLE sync_access_tokens ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY sync_access_tokens_instance ON sync_access_tokens
  USING (instance = nullif(current_setting('trellis.instance', true), '')::bigint);
ALTER TABLE sync_streams ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY sync_streams_instance ON sync_streams
  USING (instance = nullif(current_setting('trellis.instance', true), '')::bigint);
ALTER TABLE sync_browser_sessions ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY sync_browser_sessions_instance ON sync_browser_sessions
  USING (instance = nullif(current_setting('trellis.instance', true), '')::bigint);
