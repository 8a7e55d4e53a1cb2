#!/bin/sh
# Starts a standby of the primary, of which it makes a copy first.
set -eu
export PGPASSWORD="$(cat /run/secrets/replication-password)"
primary="host=postgres user=replicator application_name=replica"
while [ ! -s "$PGDATA/PG_VERSION" ]; do
  # A copy that was interrupted begins again, and the slot is there since.
  rm -rf "$PGDATA"
  pg_basebackup --dbname="$primary" --pgdata="$PGDATA" --write-recovery-conf \
    --create-slot --slot=replica --checkpoint=fast ||
  pg_basebackup --dbname="$primary" --pgdata="$PGDATA" --write-recovery-conf \
    --slot=replica --checkpoint=fast ||
  sleep 2
done
unset PGPASSWORD
exec docker-entrypoint.sh postgres
