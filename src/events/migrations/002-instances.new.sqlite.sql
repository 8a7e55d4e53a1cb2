-- A page of the full list is a range of these, whatever else there is. Ids are compared byte by byte.
-- The first has all that a page needs: events come in another order than that of their dates, so each
-- row of a page would be read from another place of the table.
CREATE INDEX events_entries_dated ON events_entries (account_id, date_at, event_id, wire, updated_at)
  WHERE deleted_at IS NULL AND date_at IS NOT NULL;
CREATE INDEX events_entries_undated ON events_entries (account_id, event_id)
  WHERE deleted_at IS NULL AND date_at IS NULL;
