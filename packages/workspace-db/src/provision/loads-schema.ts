import type { WorkspaceNames } from '../names.ts'

export const LOADS_SCHEMA = 'trellis_loads'

/** Idempotent. Hidden from readers: rejected values may be confidential. */
export function buildLoadsSchema({ owner }: WorkspaceNames): string[] {
  return [
    `create schema if not exists ${LOADS_SCHEMA}`,
    `revoke all on schema ${LOADS_SCHEMA} from public`,
    `grant usage, create on schema ${LOADS_SCHEMA} to ${owner}`,
    `create table if not exists ${LOADS_SCHEMA}.receipts (
       load_id uuid primary key,
       schema_name text not null,
       table_name text not null,
       mode text not null,
       source text not null,
       rows bigint not null,
       quarantined bigint not null default 0,
       done_by text,
       -- Whoever holds an older epoch of the same writer was replaced and may not write any more.
       writer text,
       epoch bigint not null default 0,
       cursor jsonb,
       -- What brings the table back: a kept table, or the rows this load added.
       undo jsonb,
       undone_at timestamptz,
       finished_at timestamptz not null default now()
     )`,
    `create index if not exists receipts_table on ${LOADS_SCHEMA}.receipts (schema_name, table_name, finished_at desc)`,
    `create table if not exists ${LOADS_SCHEMA}.quarantine (
       load_id uuid not null references ${LOADS_SCHEMA}.receipts on delete cascade,
       row_number bigint not null,
       line_number bigint not null,
       column_name text,
       value text,
       reason text not null,
       raw text,
       primary key (load_id, row_number)
     )`,
    ...RECEIPT_COLUMNS.map((column) => `alter table ${LOADS_SCHEMA}.receipts add column if not exists ${column}`),
    `create index if not exists receipts_run on ${LOADS_SCHEMA}.receipts (run_code) where run_code is not null`,
    `alter table ${LOADS_SCHEMA}.quarantine add column if not exists cells jsonb`,
    `alter table ${LOADS_SCHEMA}.quarantine add column if not exists state text not null default 'waiting'`,
    `create table if not exists ${LOADS_SCHEMA}.writers (
       writer text primary key,
       -- Whoever holds a lower number was replaced: it finds out here, inside the transaction that would write.
       epoch bigint not null,
       load_id uuid,
       is_done boolean not null default false,
       -- What is read and where it goes: a cursor means nothing to another query.
       reads text,
       cursor jsonb,
       changed_at timestamptz not null default now()
     )`,
    // Its own xmin is that of the rows it counts.
    `create table if not exists ${LOADS_SCHEMA}.chunks (
       load_id uuid not null references ${LOADS_SCHEMA}.receipts on delete cascade,
       transaction xid8 not null,
       rows bigint not null
     )`,
    `create index if not exists chunks_load on ${LOADS_SCHEMA}.chunks (load_id)`,
    `create table if not exists ${LOADS_SCHEMA}.comparisons (
       load_id uuid primary key,
       run_code text not null,
       found jsonb not null,
       at timestamptz not null default now()
     )`,
    `create index if not exists comparisons_run on ${LOADS_SCHEMA}.comparisons (run_code)`,
    ...['receipts', 'quarantine', 'writers', 'chunks', 'comparisons'].map(
      (table) => `alter table ${LOADS_SCHEMA}.${table} owner to ${owner}`,
    ),
  ]
}

const RECEIPT_COLUMNS = [
  'run_code text',
  'subtask text',
  'window_from text',
  'window_to text',
  'is_done boolean not null default true',
  'is_read boolean not null default true',
  'rows_read bigint not null default 0',
  'rows_updated bigint not null default 0',
  'rows_merged bigint not null default 0',
  'source_hash numeric',
  'target_hash numeric',
  'cursor_before jsonb',
  // The cursor before the load.
  'edge jsonb',
  // Why a rollback is impossible.
  'note text',
  // What was read and where it went, as of `writers`.
  'reads text',
]
