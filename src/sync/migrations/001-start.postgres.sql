-- A random mark for each commit, under its last offset: cursors prove by it which history they have seen.
CREATE TABLE sync_marks (
  log_offset BIGINT NOT NULL PRIMARY KEY,
  mark TEXT NOT NULL
);
