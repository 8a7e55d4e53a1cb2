-- The name of the log's history, with which the marks of its commits begin; null until a rollback was noted.
ALTER TABLE sync_log ADD COLUMN history TEXT;
