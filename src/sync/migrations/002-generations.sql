-- The generations before the present one: whoever remembers one of them knows this log, only longer ago.
CREATE TABLE sync_generations (
  generation TEXT NOT NULL PRIMARY KEY,
  head_offset BIGINT NOT NULL
);
