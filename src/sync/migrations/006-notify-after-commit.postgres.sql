-- Processes notify after their commits: a transaction that notifies holds a lock of the whole server until
-- it is on the disk.
DROP TRIGGER sync_log_changes ON sync_log;
DROP TRIGGER sync_sessions_changes ON sync_sessions;
DROP FUNCTION sync_notify_changes();
