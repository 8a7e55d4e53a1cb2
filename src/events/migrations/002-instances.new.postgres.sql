-- A page of the full list is a range of these, whatever else there is. Ids are compared byte by byte.
CREATE INDEX events_entries_dated ON events_entries (account_id, date_at, event_id COLLATE "C")
  WHERE deleted_at IS NULL AND date_at IS NOT NULL;
CREATE INDEX events_entries_undated ON events_entries (account_id, event_id COLLATE "C")
  WHERE deleted_at IS NULL AND date_at IS NULL;
