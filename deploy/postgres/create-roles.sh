#!/bin/sh
# Run once, by the image of PostgreSQL, when it has made an empty database.
set -eu
secret() { cat "/run/secrets/$1"; }
psql --set ON_ERROR_STOP=1 --username postgres \
  --set password="$(secret database-password)" \
  --set replication="$(secret replication-password)" <<'SQL'
-- Neither a superuser nor one who bypasses row security: Trellis refuses those.
CREATE ROLE trellis LOGIN PASSWORD :'password';
CREATE DATABASE trellis OWNER trellis ENCODING 'UTF8' TEMPLATE template0;
REVOKE ALL ON DATABASE trellis FROM PUBLIC;
CREATE ROLE replicator LOGIN REPLICATION PASSWORD :'replication';
-- In force from the next start: a commit then waits until the replica has it.
ALTER SYSTEM SET synchronous_standby_names = 'replica';
SQL
echo "host replication replicator all scram-sha-256" >> "$PGDATA/pg_hba.conf"
