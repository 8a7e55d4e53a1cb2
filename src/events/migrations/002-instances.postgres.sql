-- Accounts belong to an instance. Events has one, whose number is 1 in each of its rows.
ALTER TABLE events_profiles ADD COLUMN instance BIGINT NOT NULL DEFAULT 1;
ALTER TABLE events_sessions ADD COLUMN instance BIGINT NOT NULL DEFAULT 1;
ALTER TABLE events_interactions ADD COLUMN instance BIGINT NOT NULL DEFAULT 1;
ALTER TABLE events_grants ADD COLUMN instance BIGINT NOT NULL DEFAULT 1;
ALTER TABLE events_code_epochs ADD COLUMN instance BIGINT NOT NULL DEFAULT 1;
ALTER TABLE events_sources ADD COLUMN instance BIGINT NOT NULL DEFAULT 1;
ALTER TABLE events_subscriptions ADD COLUMN instance BIGINT NOT NULL DEFAULT 1;
ALTER TABLE events_counters ADD COLUMN instance BIGINT NOT NULL DEFAULT 1;
ALTER TABLE events_entries ADD COLUMN instance BIGINT NOT NULL DEFAULT 1;

-- What refers to an account names its instance too. The references went with the former key of accounts.
ALTER TABLE events_profiles DROP CONSTRAINT IF EXISTS events_profiles_account_id_fkey;
ALTER TABLE events_profiles ADD FOREIGN KEY (instance, account_id)
  REFERENCES identity_accounts (instance, account_id) ON DELETE CASCADE;
ALTER TABLE events_sessions DROP CONSTRAINT IF EXISTS events_sessions_account_id_fkey;
ALTER TABLE events_sessions ADD FOREIGN KEY (instance, account_id)
  REFERENCES identity_accounts (instance, account_id) ON DELETE CASCADE;
ALTER TABLE events_grants DROP CONSTRAINT IF EXISTS events_grants_account_id_fkey;
ALTER TABLE events_grants ADD FOREIGN KEY (instance, account_id)
  REFERENCES identity_accounts (instance, account_id) ON DELETE CASCADE;
ALTER TABLE events_code_epochs DROP CONSTRAINT IF EXISTS events_code_epochs_account_id_fkey;
ALTER TABLE events_code_epochs ADD FOREIGN KEY (instance, account_id)
  REFERENCES identity_accounts (instance, account_id) ON DELETE CASCADE;
ALTER TABLE events_sources DROP CONSTRAINT IF EXISTS events_sources_account_id_fkey;
ALTER TABLE events_sources ADD FOREIGN KEY (instance, account_id)
  REFERENCES identity_accounts (instance, account_id) ON DELETE CASCADE;
ALTER TABLE events_counters DROP CONSTRAINT IF EXISTS events_counters_account_id_fkey;
ALTER TABLE events_counters ADD FOREIGN KEY (instance, account_id)
  REFERENCES identity_accounts (instance, account_id) ON DELETE CASCADE;
ALTER TABLE events_entries DROP CONSTRAINT IF EXISTS events_entries_account_id_fkey;
ALTER TABLE events_entries ADD FOREIGN KEY (instance, account_id)
  REFERENCES identity_accounts (instance, account_id) ON DELETE CASCADE;
