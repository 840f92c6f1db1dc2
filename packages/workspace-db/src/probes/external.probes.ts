import type { Probe } from './probe.ts'
import { roleProbes } from './role.probes.ts'

/** `{profile}`: the login's role. */
export const externalProbes: readonly Probe[] = [
  // Others concern the workspace's own logins.
  ...roleProbes.filter(
    (probe) => !/^reader becomes|give a table|by itself|drop the data schema|^program of/.test(probe.name),
  ),
  { name: 'become the owner', sql: 'set role {owner}', why: 'all data of the workspace' },
  { name: "become the platform's login", sql: 'set session authorization {readWrite}', why: 'past the firewall' },
  { name: 'become a reader of everything', sql: 'set role {reader}', why: 'reads schemas it was not given' },
  { name: 'become the ruler', sql: 'set role {ruler}', why: 'every schema' },
  { name: 'drop the schema', sql: 'drop schema data cascade', why: 'only the platform removes schemas' },
  { name: 'rename the schema', sql: 'alter schema data rename to mine', why: 'only the platform names schemas' },
  { name: 'loads of the platform', sql: 'select * from trellis_loads.receipts', why: 'values that were turned away' },
  { name: 'table among the loads', sql: 'create table trellis_loads.probe (n int)', why: 'state of the platform' },
  { name: 'other schema', sql: 'select * from other.secret', why: 'not given to it', as: 'rw' },
  {
    name: 'function',
    sql: "create function data.f() returns int language sql as 'select 1'",
    why: 'runs as its caller',
  },
  {
    name: 'function of a language',
    sql: 'create function data.f() returns int language plpgsql as $$ begin return 1; end $$',
    why: 'a trigger would run it as the owner',
  },
  {
    name: 'temporary function',
    sql: 'create function pg_temp.f() returns trigger language plpgsql as $$ begin return new; end $$',
    why: 'a trigger would run it as the owner',
  },
  {
    name: 'function inside a program',
    sql: `do $$ begin execute 'create function pg_temp.f() returns int language plpgsql as ''begin return 1; end'''; end $$`,
    why: 'a trigger would run it as the owner',
  },
  {
    name: 'procedure',
    sql: 'create procedure pg_temp.p() language plpgsql as $$ begin end $$',
    why: 'runs as its caller',
  },
  { name: 'other triggers of the server', sql: 'set event_triggers = off', why: 'functions' },
  { name: 'hold a connection', sql: 'select pg_sleep(100)', why: 'starves others' },
  { name: 'large object', sql: "select lo_from_bytea(0, 'x')", why: 'disk that nobody counts' },
  {
    name: 'statement in a statement',
    sql: "select query_to_xml('select 1', true, true, '')",
    why: 'hides what it does',
  },
  { name: 'statement in a search', sql: "select * from ts_stat('select null::tsvector')", why: 'hides what it does' },
  { name: 'read a file', sql: "copy data.target from '/etc/passwd'", why: 'files of the server' },
  { name: 'run a command', sql: "copy data.target to program 'true'", why: 'commands as the server' },
  { name: 'write a file', sql: "copy data.target to '/tmp/probe'", why: 'files of the server' },
  { name: 'firewall file', sql: "select pg_read_file('trellis_firewall.conf')", why: 'addresses of neighbours' },
  { name: 'firewall rules', sql: 'select * from pg_hba_file_rules', why: 'addresses of neighbours' },
  { name: 'read the rules anew', sql: 'select pg_reload_conf()', why: 'state of the server' },
  { name: 'what neighbours do', sql: 'select * from pg_stat_get_activity(null)', why: 'watches neighbours' },
  { name: 'locks of neighbours', sql: 'select * from pg_lock_status()', why: 'watches neighbours' },
  { name: 'all sessions by another name', sql: 'select * from trellis.own_sessions()', why: 'state of the platform' },
  { name: 'end other sessions', sql: 'select pg_terminate_backend(1)', why: 'breaks neighbours' },
  {
    name: 'longer life',
    sql: ['set role none', "alter role current_user valid until 'infinity'"],
    why: 'outlives its end',
  },
  {
    name: 'more connections',
    sql: ['set role none', 'alter role current_user connection limit -1'],
    why: 'starves others',
  },
  { name: 'more temporary space', sql: "set temp_file_limit = '100GB'", why: 'fills the disk' },
  {
    name: 'more temporary space for good',
    sql: ['set role none', "alter role current_user set temp_file_limit = '100GB'"],
    why: 'fills the disk',
  },
  { name: 'pass its rights on', sql: 'grant {profile} to {readOnly}', why: 'a way in past its end' },
  { name: 'other database', sql: 'create database probe', why: 'disk that nobody counts' },
  { name: 'extension', sql: 'create extension pg_trgm', why: 'only the platform adds code' },
  {
    name: 'settings of the database',
    sql: 'alter database {database} set search_path = x',
    why: 'misleads all others',
  },
  {
    name: 'event trigger',
    sql: 'create event trigger t on ddl_command_end execute function f()',
    why: 'runs as others',
  },
  { name: 'publication', sql: 'create publication probe for all tables', why: 'copies everything away' },
  { name: 'server of another kind', sql: 'create foreign data wrapper probe', why: 'reaches other machines' },
]
