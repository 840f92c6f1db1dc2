import type { Probe } from './probe.ts'

/**
 * Every way a reader may try to write. Run twice: as it is, and after the session has switched off its read-only
 * transactions, when only the rights are left to refuse it.
 */
export const readOnlyProbes: readonly Probe[] = [
  { name: 'insert', sql: "insert into target values (9, 'x')" },
  { name: 'update', sql: "update target set word = 'x'" },
  { name: 'delete', sql: 'delete from target' },
  { name: 'truncate', sql: 'truncate target' },
  { name: 'merge', sql: 'merge into target t using target s on t.n = s.n when matched then delete' },
  { name: 'insert inside a select', sql: "with w as (insert into target values (9, 'x') returning n) select * from w" },
  { name: 'delete inside a select', sql: 'with w as (delete from target returning n) select * from w' },
  { name: 'insert through a view', sql: "insert into target_view values (9, 'x')" },
  { name: 'insert that is explained and run', sql: "explain analyze insert into target values (9, 'x')" },
  { name: 'prepared insert', sql: ["prepare p as insert into target values (9, 'x')", 'execute p'] },
  { name: 'select into', sql: 'select * into copied from target' },
  { name: 'create table', sql: 'create table made (n int)' },
  { name: 'create table as', sql: 'create table made as select * from target' },
  { name: 'create view', sql: 'create view made as select 1' },
  { name: 'create function', sql: 'create function made() returns int return 1' },
  { name: 'create sequence', sql: 'create sequence made' },
  { name: 'create index', sql: 'create index made on target (word)' },
  { name: 'alter table', sql: 'alter table target add column added int' },
  { name: 'drop table', sql: 'drop table target' },
  { name: 'comment', sql: "comment on table target is 'x'" },
  { name: 'create trigger', sql: 'create trigger made before insert on target execute function nothing()' },
  {
    name: 'default rights of the owner',
    sql: 'alter default privileges for role {owner} grant all on tables to public',
  },
  { name: 'do block', sql: "do $$ begin insert into target values (9, 'x'); end $$" },
  { name: "function that runs with the owner's rights", sql: 'select write_for_reader()' },
  { name: 'procedure', sql: 'call write_by_procedure()' },
  { name: 'next number of a sequence', sql: "select nextval('counter')" },
  { name: 'set a sequence', sql: "select setval('counter', 1000)" },
  { name: 'new large object', sql: 'select lo_create(0)' },
  { name: 'large object with content', sql: "select lo_from_bytea(0, 'x')" },
  { name: 'change of a large object', sql: "select lo_put(1, 0, 'x')" },
  { name: 'lock rows', sql: 'select * from target for update' },
  { name: 'lock the table', sql: ['begin', 'lock table target in exclusive mode'] },
  { name: 'refresh a stored view', sql: 'refresh materialized view stored' },
  { name: 'own transaction for writing', sql: ['begin read write', "insert into target values (9, 'x')"] },
  {
    name: 'transaction turned to writing',
    sql: ['begin', 'set transaction read write', "insert into target values (9, 'x')"],
  },
  { name: 'after leaving the transaction', sql: ['begin read only', 'commit', "insert into target values (9, 'x')"] },
  { name: 'as nobody', sql: ['set role none', "insert into target values (9, 'x')"] },
  {
    name: 'switched off in the same statement',
    sql: "select set_config('transaction_read_only', 'off', false), nextval('counter')",
  },
].map((probe) => ({ ...probe, why: 'a reader would write', as: 'ro' as const }))
