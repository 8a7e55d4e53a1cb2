-- SHA-256 of the refresh token that the device was given last; null until a session from before this column
-- is renewed. A token that merely looks right, made with a stolen key, is told apart from it.
ALTER TABLE sync_sessions ADD COLUMN refresh_hash TEXT;
