-- Every key begins with the instance: see the migration of identity.

ALTER TABLE sync_marks ADD COLUMN instance BIGINT NOT NULL DEFAULT 1;
ALTER TABLE sync_marks ALTER COLUMN instance DROP DEFAULT;
ALTER TABLE sync_marks DROP CONSTRAINT sync_marks_pkey;
ALTER TABLE sync_marks ADD PRIMARY KEY (instance, log_offset);

ALTER TABLE sync_log ADD COLUMN instance BIGINT NOT NULL DEFAULT 1;
ALTER TABLE sync_log ALTER COLUMN instance DROP DEFAULT;
ALTER TABLE sync_log DROP CONSTRAINT sync_log_pkey;
ALTER TABLE sync_log ADD PRIMARY KEY (instance, id);

ALTER TABLE sync_generations ADD COLUMN instance BIGINT NOT NULL DEFAULT 1;
ALTER TABLE sync_generations ALTER COLUMN instance DROP DEFAULT;
ALTER TABLE sync_generations DROP CONSTRAINT sync_generations_pkey;
ALTER TABLE sync_generations ADD PRIMARY KEY (instance, generation);

ALTER TABLE sync_operations ADD COLUMN instance BIGINT NOT NULL DEFAULT 1;
ALTER TABLE sync_operations ALTER COLUMN instance DROP DEFAULT;
ALTER TABLE sync_operations DROP CONSTRAINT sync_operations_pkey;
ALTER TABLE sync_operations ADD PRIMARY KEY (instance, log_offset);

ALTER TABLE sync_ledger ADD COLUMN instance BIGINT NOT NULL DEFAULT 1;
ALTER TABLE sync_ledger ALTER COLUMN instance DROP DEFAULT;
ALTER TABLE sync_ledger DROP CONSTRAINT sync_ledger_pkey;
ALTER TABLE sync_ledger ADD PRIMARY KEY (instance, operation_id);

ALTER TABLE sync_entities ADD COLUMN instance BIGINT NOT NULL DEFAULT 1;
ALTER TABLE sync_entities ALTER COLUMN instance DROP DEFAULT;
ALTER TABLE sync_entities DROP CONSTRAINT sync_entities_pkey;
ALTER TABLE sync_entities ADD PRIMARY KEY (instance, entity_id);

ALTER TABLE sync_days ADD COLUMN instance BIGINT NOT NULL DEFAULT 1;
ALTER TABLE sync_days ALTER COLUMN instance DROP DEFAULT;
ALTER TABLE sync_days DROP CONSTRAINT sync_days_pkey;
ALTER TABLE sync_days ADD PRIMARY KEY (instance, day);

ALTER TABLE sync_keys ADD COLUMN instance BIGINT NOT NULL DEFAULT 1;
ALTER TABLE sync_keys ALTER COLUMN instance DROP DEFAULT;
ALTER TABLE sync_keys DROP CONSTRAINT sync_keys_pkey;
ALTER TABLE sync_keys ADD PRIMARY KEY (instance, position);
ALTER TABLE sync_keys DROP CONSTRAINT sync_keys_key_id_key;
ALTER TABLE sync_keys ADD UNIQUE (instance, key_id);

ALTER TABLE sync_access_tokens DROP CONSTRAINT sync_access_tokens_family_fkey;
ALTER TABLE sync_sessions ADD COLUMN instance BIGINT NOT NULL DEFAULT 1;
ALTER TABLE sync_sessions ALTER COLUMN instance DROP DEFAULT;
ALTER TABLE sync_sessions DROP CONSTRAINT sync_sessions_pkey;
ALTER TABLE sync_sessions ADD PRIMARY KEY (instance, family);
ALTER TABLE sync_sessions DROP CONSTRAINT sync_sessions_device_id_key;
ALTER TABLE sync_sessions ADD UNIQUE (instance, device_id);

ALTER TABLE sync_access_tokens ADD COLUMN instance BIGINT NOT NULL DEFAULT 1;
ALTER TABLE sync_access_tokens ALTER COLUMN instance DROP DEFAULT;
ALTER TABLE sync_access_tokens DROP CONSTRAINT sync_access_tokens_pkey;
ALTER TABLE sync_access_tokens ADD PRIMARY KEY (instance, token_hash);
ALTER TABLE sync_access_tokens DROP CONSTRAINT IF EXISTS sync_access_tokens_family_fkey;
ALTER TABLE sync_access_tokens ADD FOREIGN KEY (instance, family)
  REFERENCES sync_sessions (instance, family) ON DELETE CASCADE;
DROP INDEX sync_access_tokens_age;
CREATE INDEX sync_access_tokens_age ON sync_access_tokens (instance, expires_at);
DROP INDEX sync_access_tokens_family;
CREATE INDEX sync_access_tokens_family ON sync_access_tokens (instance, family);

ALTER TABLE sync_streams ADD COLUMN instance BIGINT NOT NULL DEFAULT 1;
ALTER TABLE sync_streams ALTER COLUMN instance DROP DEFAULT;
ALTER TABLE sync_streams DROP CONSTRAINT sync_streams_pkey;
ALTER TABLE sync_streams ADD PRIMARY KEY (instance, stream_id);

ALTER TABLE sync_browser_sessions ADD COLUMN instance BIGINT NOT NULL DEFAULT 1;
ALTER TABLE sync_browser_sessions ALTER COLUMN instance DROP DEFAULT;
ALTER TABLE sync_browser_sessions DROP CONSTRAINT sync_browser_sessions_pkey;
ALTER TABLE sync_browser_sessions ADD PRIMARY KEY (instance, session_hash);
ALTER TABLE sync_browser_sessions DROP CONSTRAINT IF EXISTS sync_browser_sessions_account_id_fkey;
ALTER TABLE sync_browser_sessions ADD FOREIGN KEY (instance, account_id)
  REFERENCES identity_accounts (instance, account_id) ON DELETE CASCADE;
DROP INDEX sync_browser_sessions_account;
CREATE INDEX sync_browser_sessions_account ON sync_browser_sessions (instance, account_id);

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
