-- A random mark for each commit, under its last offset: cursors prove by it which history they have seen.
-- Without a row id, a row is one entry of one tree.
CREATE TABLE sync_marks (
  instance BIGINT NOT NULL,
  log_offset BIGINT NOT NULL,
  mark TEXT NOT NULL,
  PRIMARY KEY (instance, log_offset)
) WITHOUT ROWID;
