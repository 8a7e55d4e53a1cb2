-- One set of tables has all instances: every key begins with the instance. A row that is here already belongs to
-- instance 1.

-- References to accounts, those of other services too, name the instance from now on.
ALTER TABLE identity_accounts ADD COLUMN instance BIGINT NOT NULL DEFAULT 1;
ALTER TABLE identity_accounts ALTER COLUMN instance DROP DEFAULT;
ALTER TABLE identity_accounts DROP CONSTRAINT identity_accounts_pkey CASCADE;
ALTER TABLE identity_accounts ADD PRIMARY KEY (instance, account_id);
DROP INDEX identity_accounts_username;
CREATE UNIQUE INDEX identity_accounts_username ON identity_accounts (instance, realm, username);
DROP INDEX identity_accounts_one_for_sync;
CREATE UNIQUE INDEX identity_accounts_one_for_sync ON identity_accounts (instance, realm)
  WHERE realm = 'sync';

ALTER TABLE identity_challenges ADD COLUMN instance BIGINT NOT NULL DEFAULT 1;
ALTER TABLE identity_challenges ALTER COLUMN instance DROP DEFAULT;
ALTER TABLE identity_challenges DROP CONSTRAINT identity_challenges_pkey;
ALTER TABLE identity_challenges ADD PRIMARY KEY (instance, challenge_id);
DROP INDEX identity_challenges_made;
CREATE INDEX identity_challenges_made ON identity_challenges (instance, realm, made);
DROP INDEX identity_challenges_groups;
CREATE INDEX identity_challenges_groups
  ON identity_challenges (instance, realm, is_known, wide_hash, middle_hash, client_hash, made);

ALTER TABLE identity_secrets ADD COLUMN instance BIGINT NOT NULL DEFAULT 1;
ALTER TABLE identity_secrets ALTER COLUMN instance DROP DEFAULT;
ALTER TABLE identity_secrets DROP CONSTRAINT identity_secrets_pkey;
ALTER TABLE identity_secrets ADD PRIMARY KEY (instance, secret_hash);
DROP INDEX identity_secrets_age;
CREATE INDEX identity_secrets_age ON identity_secrets (instance, keep_until);

ALTER TABLE identity_failures ADD COLUMN instance BIGINT NOT NULL DEFAULT 1;
ALTER TABLE identity_failures ALTER COLUMN instance DROP DEFAULT;
ALTER TABLE identity_failures DROP CONSTRAINT identity_failures_pkey;
ALTER TABLE identity_failures ADD PRIMARY KEY (instance, realm, subject);
DROP INDEX identity_failures_age;
CREATE INDEX identity_failures_age ON identity_failures (instance, last_failure_at);

ALTER TABLE identity_known_browsers ADD COLUMN instance BIGINT NOT NULL DEFAULT 1;
ALTER TABLE identity_known_browsers ALTER COLUMN instance DROP DEFAULT;
ALTER TABLE identity_known_browsers DROP CONSTRAINT identity_known_browsers_pkey;
ALTER TABLE identity_known_browsers ADD PRIMARY KEY (instance, token_hash);
ALTER TABLE identity_known_browsers DROP CONSTRAINT IF EXISTS identity_known_browsers_account_id_fkey;
ALTER TABLE identity_known_browsers ADD FOREIGN KEY (instance, account_id)
  REFERENCES identity_accounts (instance, account_id) ON DELETE CASCADE;
DROP INDEX identity_known_browsers_age;
CREATE INDEX identity_known_browsers_age ON identity_known_browsers (instance, expires_at);
DROP INDEX identity_known_browsers_account;
CREATE INDEX identity_known_browsers_account ON identity_known_browsers (instance, account_id, made);

ALTER TABLE identity_passkeys ADD COLUMN instance BIGINT NOT NULL DEFAULT 1;
ALTER TABLE identity_passkeys ALTER COLUMN instance DROP DEFAULT;
ALTER TABLE identity_passkeys DROP CONSTRAINT identity_passkeys_pkey;
ALTER TABLE identity_passkeys ADD PRIMARY KEY (instance, credential_id);
ALTER TABLE identity_passkeys DROP CONSTRAINT IF EXISTS identity_passkeys_account_id_fkey;
ALTER TABLE identity_passkeys ADD FOREIGN KEY (instance, account_id)
  REFERENCES identity_accounts (instance, account_id) ON DELETE CASCADE;
DROP INDEX identity_passkeys_account;
CREATE INDEX identity_passkeys_account ON identity_passkeys (instance, account_id, created_at, credential_id);

ALTER TABLE identity_hits ADD COLUMN instance BIGINT NOT NULL DEFAULT 1;
ALTER TABLE identity_hits ALTER COLUMN instance DROP DEFAULT;
ALTER TABLE identity_hits DROP CONSTRAINT identity_hits_pkey;
ALTER TABLE identity_hits ADD PRIMARY KEY (instance, window_start, subject);
DROP INDEX identity_hits_age;
CREATE INDEX identity_hits_age ON identity_hits (instance, window_end);

ALTER TABLE identity_session_epochs ADD COLUMN instance BIGINT NOT NULL DEFAULT 1;
ALTER TABLE identity_session_epochs ALTER COLUMN instance DROP DEFAULT;
ALTER TABLE identity_session_epochs DROP CONSTRAINT identity_session_epochs_pkey;
ALTER TABLE identity_session_epochs ADD PRIMARY KEY (instance, realm);

ALTER TABLE identity_instance_keys ADD COLUMN instance BIGINT NOT NULL DEFAULT 1;
ALTER TABLE identity_instance_keys ALTER COLUMN instance DROP DEFAULT;
ALTER TABLE identity_instance_keys DROP CONSTRAINT identity_instance_keys_pkey;
ALTER TABLE identity_instance_keys ADD PRIMARY KEY (instance, realm);

ALTER TABLE identity_security_events ADD COLUMN instance BIGINT NOT NULL DEFAULT 1;
ALTER TABLE identity_security_events ALTER COLUMN instance DROP DEFAULT;
ALTER TABLE identity_security_events DROP CONSTRAINT identity_security_events_pkey;
ALTER TABLE identity_security_events ADD PRIMARY KEY (instance, realm, kind);

ALTER TABLE identity_write_probes ADD COLUMN instance BIGINT NOT NULL DEFAULT 1;
ALTER TABLE identity_write_probes ALTER COLUMN instance DROP DEFAULT;
ALTER TABLE identity_write_probes DROP CONSTRAINT identity_write_probes_pkey;
ALTER TABLE identity_write_probes ADD PRIMARY KEY (instance, realm);

ALTER TABLE identity_sign_ins ADD COLUMN instance BIGINT NOT NULL DEFAULT 1;
ALTER TABLE identity_sign_ins ALTER COLUMN instance DROP DEFAULT;
ALTER TABLE identity_sign_ins DROP CONSTRAINT identity_sign_ins_pkey;
ALTER TABLE identity_sign_ins ADD PRIMARY KEY (instance, account_id, made);
ALTER TABLE identity_sign_ins DROP CONSTRAINT IF EXISTS identity_sign_ins_account_id_fkey;
ALTER TABLE identity_sign_ins ADD FOREIGN KEY (instance, account_id)
  REFERENCES identity_accounts (instance, account_id) ON DELETE CASCADE;
DROP INDEX identity_sign_ins_age;
CREATE INDEX identity_sign_ins_age ON identity_sign_ins (instance, last_at);

-- The database itself keeps instances apart: a statement that forgot its condition shows nothing of another.
ALTER TABLE identity_accounts ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY identity_accounts_instance ON identity_accounts
  USING (instance = nullif(current_setting('trellis.instance', true), '')::bigint);
ALTER TABLE identity_challenges ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY identity_challenges_instance ON identity_challenges
  USING (instance = nullif(current_setting('trellis.instance', true), '')::bigint);
ALTER TABLE identity_secrets ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY identity_secrets_instance ON identity_secrets
  USING (instance = nullif(current_setting('trellis.instance', true), '')::bigint);
ALTER TABLE identity_failures ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY identity_failures_instance ON identity_failures
  USING (instance = nullif(current_setting('trellis.instance', true), '')::bigint);
ALTER TABLE identity_known_browsers ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY identity_known_browsers_instance ON identity_known_browsers
  USING (instance = nullif(current_setting('trellis.instance', true), '')::bigint);
ALTER TABLE identity_passkeys ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY identity_passkeys_instance ON identity_passkeys
  USING (instance = nullif(current_setting('trellis.instance', true), '')::bigint);
ALTER TABLE identity_hits ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY identity_hits_instance ON identity_hits
  USING (instance = nullif(current_setting('trellis.instance', true), '')::bigint);
ALTER TABLE identity_session_epochs ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY identity_session_epochs_instance ON identity_session_epochs
  USING (instance = nullif(current_setting('trellis.instance', true), '')::bigint);
ALTER TABLE identity_instance_keys ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY identity_instance_keys_instance ON identity_instance_keys
  USING (instance = nullif(current_setting('trellis.instance', true), '')::bigint);
ALTER TABLE identity_security_events ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY identity_security_events_instance ON identity_security_events
  USING (instance = nullif(current_setting('trellis.instance', true), '')::bigint);
ALTER TABLE identity_write_probes ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY identity_write_probes_instance ON identity_write_probes
  USING (instance = nullif(current_setting('trellis.instance', true), '')::bigint);
ALTER TABLE identity_sign_ins ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY identity_sign_ins_instance ON identity_sign_ins
  USING (instance = nullif(current_setting('trellis.instance', true), '')::bigint);
