-- How far the last pull of a device went; null until a server that keeps metrics has seen one.
ALTER TABLE sync_sessions ADD COLUMN pulled_offset BIGINT;
