#!/bin/sh
# Run once by the database's container: the role as which services connect. It owns nothing.
set -eu
psql --set=ON_ERROR_STOP=1 --username=postgres --dbname="$POSTGRES_DB" --set=password="$SERVICE_PASSWORD" <<'SQL'
CREATE ROLE storykeeper NOLOGIN NOBYPASSRLS;
CREATE ROLE service LOGIN PASSWORD :'password' IN ROLE storykeeper;
SQL
