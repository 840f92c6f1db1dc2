-- The logins of Trellis and its control database, once on a new primary, as a superuser and with psql:
--   APP_PASSWORD=… OWNER_PASSWORD=… ADMIN_PASSWORD=… psql -f logins.sql
\getenv app_password APP_PASSWORD
\getenv owner_password OWNER_PASSWORD
\getenv admin_password ADMIN_PASSWORD
create role trellis_owner login password :'owner_password';
create role trellis_app login password :'app_password';
create role trellis_admin login createdb createrole password :'admin_password';
create database trellis owner trellis_owner;
revoke all on database trellis from public;
