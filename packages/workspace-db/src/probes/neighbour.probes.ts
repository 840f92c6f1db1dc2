import type { Probe } from './probe.ts'

/** Into other databases of the cluster, or in their way. */
export const neighbourProbes: readonly Probe[] = [
  {
    name: 'table of another database',
    sql: 'select * from {neighbour}.data.secrets',
    why: 'reads a neighbour',
    state: '0A000',
  },
  { name: 'drop another database', sql: 'drop database {neighbour}', why: 'destroys a neighbour' },
  {
    name: 'settings of another database',
    sql: "alter database {neighbour} set work_mem = '1MB'",
    why: 'breaks a neighbour',
  },
  {
    name: 'owner of another database',
    sql: 'alter database {neighbour} owner to {owner}',
    why: 'takes over a neighbour',
  },
  { name: 'size of another database', sql: "select pg_database_size('{neighbour}')", why: 'measures a neighbour' },
  { name: 'copy of another database', sql: 'create database probe template {neighbour}', why: 'copies a neighbour' },
  { name: 'new database', sql: 'create database probe', why: 'a place without any of our rules' },
  {
    name: 'drop the own database',
    sql: 'drop database {database}',
    why: 'only the platform removes a workspace',
  },
  {
    name: 'settings of the own database',
    sql: 'alter database {database} set statement_timeout = 0',
    why: 'limits of every session',
  },
  {
    name: 'shut the own database',
    sql: 'alter database {database} allow_connections false',
    why: 'locks the platform out',
  },
  {
    name: 'open the own database to all',
    sql: 'grant connect on database {database} to public',
    why: 'lets neighbours in',
    as: 'rw',
  },
  {
    name: 'comment on the own database',
    sql: "comment on database {database} is 'mine'",
    why: 'the platform keeps its mark there',
  },
  { name: 'sessions of everybody', sql: 'select * from pg_stat_activity', why: 'watches neighbours' },
  { name: 'numbers of every database', sql: 'select * from pg_stat_database', why: 'watches neighbours' },
  { name: 'locks of everybody', sql: 'select * from pg_locks', why: 'watches neighbours' },
  {
    name: 'terminate a session',
    sql: 'select pg_terminate_backend(pg_backend_pid())',
    why: 'ends sessions of the platform',
  },
  { name: 'cancel a session', sql: 'select pg_cancel_backend(pg_backend_pid())', why: 'ends sessions of the platform' },
  { name: 'notify', sql: "select pg_notify('all', 'x')", why: 'one queue serves the whole cluster' },
  { name: 'advisory lock', sql: 'select pg_advisory_lock(1)', why: 'outlives the statement' },
  { name: 'advisory lock without waiting', sql: 'select pg_try_advisory_xact_lock(1, 2)', why: 'blocks the platform' },
  { name: 'sleep', sql: 'select pg_sleep(3600)', why: 'holds a connection for nothing' },
  { name: 'sleep for an interval', sql: "select pg_sleep_for('1 hour')", why: 'holds a connection for nothing' },
  { name: 'snapshot for others', sql: 'select pg_export_snapshot()', why: 'keeps old rows of the cluster alive' },
  {
    name: 'temporary table',
    sql: 'create temporary table probe (n int)',
    why: 'outlives the statement, fills the disk',
  },
  {
    name: 'lock on a system table',
    sql: ['begin', 'lock table pg_catalog.pg_class in access exclusive mode'],
    why: 'stops everything',
  },
  {
    name: 'lock on the table of all databases',
    sql: ['begin', 'lock table pg_catalog.pg_database in access exclusive mode'],
    why: 'nobody in the cluster could connect',
    as: 'rw',
  },
  {
    name: 'prepared transaction',
    sql: ['begin', "prepare transaction 'probe'"],
    why: 'holds its locks for ever',
    as: 'rw',
    state: '55000',
  },
  { name: 'reindex the database', sql: 'reindex database {database}', why: 'locks the system tables' },
  {
    name: 'query inside a query',
    sql: "select query_to_xml('select 1', true, true, '')",
    why: 'hides a statement in another',
  },
  {
    name: 'two statements',
    sql: 'select 1; drop table target',
    why: 'only the first one was looked at',
    state: '42601',
  },
  {
    name: 'two statements behind a comment',
    sql: 'select 1 /* */; commit; drop table target',
    why: 'as above',
    state: '42601',
  },
]
