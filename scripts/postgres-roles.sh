#!/bin/sh
# The database `retenir` with pgvector, the role that owns it and migrates, the role that serves and owns nothing.
# Run it as a superuser, as often as you like: psql's own variables (PGHOST, PGUSER, …) say where.
#   OWNER_PASSWORD=… SERVING_PASSWORD=… scripts/postgres-roles.sh
# Docker runs it on the first start of the database in docker-compose.yml.
set -eu
: "${OWNER_PASSWORD:?}" "${SERVING_PASSWORD:?}"
export PGUSER="${PGUSER:-${POSTGRES_USER:-postgres}}" PGOPTIONS='-c client_min_messages=warning'
psql --no-psqlrc --quiet --dbname postgres --set ON_ERROR_STOP=1 <<'SQL'
\getenv owner_password OWNER_PASSWORD
\getenv serving_password SERVING_PASSWORD

select 'create role retenir_owner' where not exists (select from pg_roles where rolname = 'retenir_owner') \gexec
select 'create role retenir_app' where not exists (select from pg_roles where rolname = 'retenir_app') \gexec
alter role retenir_owner login nosuperuser nocreatedb nocreaterole noreplication nobypassrls password :'owner_password';
alter role retenir_app login nosuperuser nocreatedb nocreaterole noreplication nobypassrls password :'serving_password';
alter role retenir_app set statement_timeout = '3s';
alter role retenir_app set lock_timeout = '500ms';
alter role retenir_app set idle_in_transaction_session_timeout = '5s';

select 'create database retenir owner retenir_owner'
where not exists (select from pg_database where datname = 'retenir') \gexec
revoke all on database retenir from public;
grant connect on database retenir to retenir_app;

\connect retenir
create extension if not exists vector;
SQL
