-- The name of the log's history, with which the marks of its commits begin; null until a put-back was noted.
ALTER TABLE sync_log ADD COLUMN history TEXT;
