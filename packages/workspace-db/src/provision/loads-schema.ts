import type { WorkspaceNames } from '../names.ts'

/** Where loads stage rows, keep what a replaced table held, and write what they did, beside the data itself. */
export const LOADS_SCHEMA = 'trellis_loads'

/** Statements that may all be repeated. The reader has no way in: quarantined values may be what a table must not hold. */
export function loadsSchema({ owner }: WorkspaceNames): string[] {
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
    `alter table ${LOADS_SCHEMA}.receipts owner to ${owner}`,
    `alter table ${LOADS_SCHEMA}.quarantine owner to ${owner}`,
  ]
}
