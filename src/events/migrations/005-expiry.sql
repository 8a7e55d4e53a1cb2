-- What has expired is deleted every ten minutes, and must be found without reading the rest.
CREATE INDEX events_sessions_idle ON events_sessions (idle_expires_at);
CREATE INDEX events_sessions_absolute ON events_sessions (absolute_expires_at);
CREATE INDEX events_grants_idle ON events_grants (idle_expires_at);
CREATE INDEX events_grants_absolute ON events_grants (absolute_expires_at);
