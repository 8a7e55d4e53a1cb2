-- A sign-in link makes a browser known before it has signed in: 0 until it has.
ALTER TABLE identity_known_browsers ADD COLUMN has_signed_in BIGINT NOT NULL DEFAULT 1;
