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
