-- The clock of the log: the greatest sequence of all operations that it ever had, in any generation. The
-- next operation may have any first sequence while nothing is known of the clocks of devices.
ALTER TABLE sync_log ADD COLUMN greatest_sequence BIGINT NOT NULL DEFAULT 0;
ALTER TABLE sync_log ADD COLUMN takes_any_sequence BIGINT NOT NULL DEFAULT 1;

-- An operation id is operation/<deviceId>/<sequence>.
UPDATE sync_log SET takes_any_sequence = 0, greatest_sequence = (
  SELECT max(split_part(operation_id, '/', 3)::bigint) FROM sync_ledger
) WHERE EXISTS (SELECT 1 FROM sync_ledger);
