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
