export interface EscapeAttempt {
  readonly name: string
  /** `{word}` is replaced by names of this or another workspace's database. */
  readonly sql: string
  readonly as?: 'viewer' | 'editor'
  /** Expected SQLSTATE, by default 42501 or 25006: another error proves nothing. `none`: a warning without effect. */
  readonly state?: string
}

const WRITE = "insert into target values (9, 'x')"

const viewerWrites: readonly EscapeAttempt[] = [
  { name: 'second statement', sql: `select 1; ${WRITE}` },
  { name: 'second statement behind a comment', sql: `select 1 /* ; /* nested */ ; */; -- ;\n${WRITE}` },
  { name: 'statement behind a dollar quote', sql: `select $a$;$a$; ${WRITE}` },
  { name: 'commit, then write', sql: `begin; commit; ${WRITE}` },
  { name: 'rollback, then write', sql: `begin read only; rollback; begin read write; ${WRITE}; commit` },
  { name: 'commit and chain', sql: `begin; commit and chain; set transaction read write; ${WRITE}; commit` },
  { name: 'set transaction', sql: `begin; set transaction read write; ${WRITE}; commit` },
  { name: 'session characteristics', sql: `set session characteristics as transaction read write; ${WRITE}` },
  { name: 'default of the session', sql: `set default_transaction_read_only = off; ${WRITE}` },
  { name: 'set_config', sql: `select set_config('default_transaction_read_only', 'off', false); ${WRITE}` },
  {
    name: 'update of pg_settings',
    sql: `update pg_settings set setting = 'off' where name = 'default_transaction_read_only'; ${WRITE}`,
  },
  { name: 'reset all', sql: `reset all; ${WRITE}` },
  { name: 'discard all', sql: `discard all; set default_transaction_read_only = off; ${WRITE}` },
  { name: 'reset role', sql: `reset role; set default_transaction_read_only = off; ${WRITE}` },
  {
    name: 'reset session authorization',
    sql: `reset session authorization; set default_transaction_read_only = off; ${WRITE}`,
  },
  { name: 'role of the owner', sql: `set role {owner}; ${WRITE}` },
  { name: 'role of the owner by function', sql: `select set_config('role', '{owner}', false); ${WRITE}` },
  { name: 'session of the writer', sql: `set session authorization {readWrite}; ${WRITE}` },
  {
    name: 'write in a WITH',
    sql: `set default_transaction_read_only = off; with w as (${WRITE} returning n) select * from w`,
  },
  { name: 'explain analyze of a write', sql: `set default_transaction_read_only = off; explain analyze ${WRITE}` },
  { name: 'prepared write', sql: `set default_transaction_read_only = off; prepare p as ${WRITE}; execute p` },
  {
    name: 'cursor that outlives its transaction',
    sql: `set default_transaction_read_only = off; declare c cursor with hold for select * from target; ${WRITE}`,
  },
  {
    name: 'DO block',
    sql: `set default_transaction_read_only = off; do $$ begin execute '${WRITE.replaceAll("'", "''")}'; end $$`,
  },
  { name: 'DO block that commits', sql: `do $$ begin commit; end $$` },
  {
    name: "function with its owner's rights",
    sql: 'set default_transaction_read_only = off; select write_for_reader()',
  },
  {
    name: "procedure with its owner's rights",
    sql: 'set default_transaction_read_only = off; call write_by_procedure()',
  },
  { name: 'writable view', sql: "set default_transaction_read_only = off; insert into target_view values (9, 'x')" },
  {
    name: 'view with a rule that writes',
    sql: "set default_transaction_read_only = off; insert into ruled_view values (9, 'x')",
  },
  { name: 'sequence', sql: "set default_transaction_read_only = off; select nextval('counter')" },
  {
    name: 'sequence by currval and setval',
    sql: "set default_transaction_read_only = off; select setval('counter', 99)",
  },
  {
    name: 'own table, view and function in the search path',
    sql: 'set default_transaction_read_only = off; set search_path = pg_temp; create temporary table target (n int)',
  },
  {
    name: 'temporary view over a hidden name',
    sql: 'set default_transaction_read_only = off; create temporary view target as select 1',
  },
  {
    name: 'temporary function',
    sql: 'set default_transaction_read_only = off; create function pg_temp.f() returns int return 1',
  },
  {
    name: 'generated column',
    sql: 'set default_transaction_read_only = off; alter table target add column g int generated always as (n * 2) stored',
  },
  {
    name: 'rule',
    sql: 'set default_transaction_read_only = off; create rule r as on insert to target do instead nothing',
  },
  { name: 'view', sql: 'set default_transaction_read_only = off; create or replace view target_view as select 1 as n' },
  {
    name: 'trigger',
    sql: 'set default_transaction_read_only = off; create trigger t before insert on target execute function nothing()',
  },
  { name: 'policy', sql: 'set default_transaction_read_only = off; create policy p on target using (true)' },
  { name: 'statistics', sql: 'set default_transaction_read_only = off; create statistics s on n, word from target' },
  { name: 'comment', sql: "set default_transaction_read_only = off; comment on table target is 'x'" },
  { name: 'row locks', sql: 'set default_transaction_read_only = off; select * from target for update' },
  {
    name: 'table lock',
    sql: 'set default_transaction_read_only = off; begin; lock table target in access exclusive mode',
  },
  {
    name: 'grant to oneself',
    sql: 'set default_transaction_read_only = off; grant all on target to current_user',
    state: 'none',
  },
  { name: 'vacuum', sql: 'set default_transaction_read_only = off; vacuum full target', state: 'none' },
  { name: 'analyze', sql: 'set default_transaction_read_only = off; analyze target', state: 'none' },
  { name: 'reindex', sql: 'set default_transaction_read_only = off; reindex table target' },
  { name: 'cluster', sql: 'set default_transaction_read_only = off; cluster target using target_pkey' },
  {
    name: 'refresh of a materialized view',
    sql: 'set default_transaction_read_only = off; refresh materialized view stored',
  },
  { name: 'import of a foreign schema', sql: 'import foreign schema x from server y into data' },
].map((attempt) => ({ ...attempt, as: 'viewer' as const }))

/** Attempts to reach the server, other roles or other databases. */
const bothRoles: readonly EscapeAttempt[] = [
  { name: 'COPY to a program', sql: "copy (select 1) to program 'id'" },
  { name: 'COPY from a program', sql: "begin; copy target from program 'id'" },
  { name: 'COPY to a file', sql: "copy target to '/tmp/escaped'" },
  { name: 'COPY from a file', sql: "copy target from '/etc/passwd'" },
  { name: 'COPY inside a DO block', sql: "do $$ begin execute 'copy (select 1) to program ''id'''; end $$" },
  { name: 'role of the administrator', sql: 'set role {admin}' },
  { name: 'session of the administrator', sql: 'set session authorization {admin}' },
  { name: "role of a neighbour's owner", sql: 'set role {neighbourOwner}' },
  { name: 'role in the local settings', sql: 'begin; set local role {neighbourOwner}' },
  {
    name: 'role setting of a function',
    sql: 'create function f() returns int set role = {admin} return 1',
    as: 'editor',
  },
  { name: 'role by alter role', sql: 'alter role current_user set role = {admin}', as: 'viewer' },
  { name: 'read a file', sql: "select pg_read_file('/etc/passwd')" },
  { name: 'read a file in pieces', sql: "select pg_read_binary_file('/etc/passwd', 0, 10)" },
  { name: 'list a folder', sql: "select * from pg_ls_dir('.')" },
  { name: 'list the WAL', sql: 'select * from pg_ls_waldir()' },
  { name: 'stat a file', sql: "select pg_stat_file('postgresql.conf')" },
  { name: 'import a large object', sql: "select lo_import('/etc/passwd')" },
  { name: 'export a large object', sql: "select lo_export(1, '/tmp/escaped')" },
  { name: 'make a large object', sql: 'select lo_creat(-1)' },
  { name: 'dblink', sql: 'create extension dblink' },
  { name: 'postgres_fdw', sql: 'create extension if not exists postgres_fdw cascade' },
  { name: 'foreign server', sql: 'create foreign data wrapper w; create server s foreign data wrapper w' },
  { name: 'untrusted language', sql: "do language plpython3u 'import os'", state: '42704' },
  { name: 'load of a library', sql: "load 'dblink'" },
  { name: 'server setting', sql: "alter system set shared_preload_libraries = 'x'" },
  { name: 'superuser', sql: 'alter role current_user superuser' },
  { name: 'new login', sql: "create role escaped login password 'x'" },
  { name: 'membership of the owner', sql: 'grant {owner} to {readOnly}' },
  { name: 'membership of all files', sql: 'grant pg_read_server_files to {readWrite}' },
  { name: 'event trigger', sql: 'create event trigger e on ddl_command_end execute function nothing()' },
  { name: 'notify', sql: "do $$ begin perform pg_notify('x', 'y'); end $$" },
  { name: 'advisory lock', sql: 'select pg_advisory_lock(7305211)' },
  { name: 'advisory lock of a transaction', sql: 'begin; select pg_advisory_xact_lock(1)' },
  { name: 'end of a session', sql: 'select pg_terminate_backend(pg_backend_pid() + 1)' },
  { name: 'cancel of a session', sql: 'select pg_cancel_backend(1)' },
  { name: 'sessions of everybody', sql: 'select * from pg_stat_activity' },
  { name: 'locks of everybody', sql: 'select * from pg_locks' },
  { name: 'stored passwords', sql: 'select * from pg_authid' },
  { name: 'password rules', sql: 'select * from pg_hba_file_rules' },
  {
    name: 'subscription',
    sql: "create subscription s connection 'host=127.0.0.1' publication p with (connect = false)",
  },
  { name: 'prepared transaction', sql: "begin; prepare transaction 'escaped'", state: '55000' },
  { name: "a neighbour's database", sql: 'select * from {neighbour}.data.secrets', state: '0A000' },
  { name: "a neighbour's size", sql: "select pg_database_size('{neighbour}')" },
  { name: 'a new database', sql: 'create database escaped' },
  { name: 'the schema of the platform', sql: 'select * from trellis.receipts' },
  {
    name: 'the schema of the platform in the search path',
    sql: 'set search_path = trellis, data; select * from receipts',
    state: '42P01',
  },
  { name: 'functions of the system', sql: "create or replace function pg_catalog.lower(text) returns text return 'x'" },
  { name: 'rows of system tables', sql: 'update pg_catalog.pg_class set relowner = 10' },
  { name: 'replication role', sql: 'set session_replication_role = replica' },
  { name: 'temporary files without a limit', sql: 'set temp_file_limit = -1' },
  { name: 'query hidden in a function', sql: "select query_to_xml('delete from target', true, false, '')" },
  { name: 'COPY to the client', sql: 'copy target to stdout', state: 'refused' },
  { name: 'COPY from the client', sql: 'copy target from stdin', as: 'editor', state: 'refused' },
]

export const escapeAttempts: readonly EscapeAttempt[] = [...viewerWrites, ...bothRoles]
