#!/bin/sh
# Run by the image of PostgreSQL when its volume is new.
set -eu
psql --no-psqlrc --set ON_ERROR_STOP=1 --username "$POSTGRES_USER" --dbname postgres \
  --set owner_password="$OWNER_PASSWORD" --set service_password="$SERVICE_PASSWORD" --file /ops/roles.sql
