-- A random mark for each commit, under its last offset: cursors prove by it which history they have seen.
-- INTEGER, unlike BIGINT, makes the key the row id itself, so that a row is one entry of one tree.
CREATE TABLE sync_marks (
  log_offset INTEGER NOT NULL PRIMARY KEY,
  mark TEXT NOT NULL
);
