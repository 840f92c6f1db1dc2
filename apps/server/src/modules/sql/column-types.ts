import type { ColumnKind, ResultColumn } from '@trellis/contract/sql/sql.schemas'
import type { Session } from '@trellis/workspace-db/session'
import type { Column } from '@trellis/workspace-db/session/portal'

const BUILT_IN: Record<number, readonly [type: string, kind: ColumnKind]> = {
  16: ['boolean', 'boolean'],
  17: ['bytea', 'binary'],
  18: ['"char"', 'text'],
  19: ['name', 'text'],
  20: ['bigint', 'integer'],
  21: ['smallint', 'integer'],
  23: ['integer', 'integer'],
  25: ['text', 'text'],
  26: ['oid', 'integer'],
  114: ['json', 'json'],
  700: ['real', 'decimal'],
  701: ['double precision', 'decimal'],
  705: ['unknown', 'text'],
  1042: ['character', 'text'],
  1043: ['character varying', 'text'],
  1082: ['date', 'date'],
  1083: ['time without time zone', 'other'],
  1114: ['timestamp without time zone', 'timestamp'],
  1184: ['timestamp with time zone', 'timestamp'],
  1186: ['interval', 'other'],
  1700: ['numeric', 'decimal'],
  2278: ['void', 'other'],
  2950: ['uuid', 'text'],
  3802: ['jsonb', 'json'],
}

/** User-defined types are looked up after the statement. */
export async function describeColumns(session: Session, columns: readonly Column[]): Promise<ResultColumn[]> {
  const unknown = [...new Set(columns.map(({ typeId }) => typeId).filter((id) => !BUILT_IN[id]))]
  return toResultColumns(columns, unknown.length === 0 ? new Map() : await readTypeNames(session, unknown))
}

export function toResultColumns(
  columns: readonly Column[],
  names: ReadonlyMap<number, string> = new Map(),
): ResultColumn[] {
  return columns.map(({ name, typeId }) => {
    const [type, kind] = BUILT_IN[typeId] ?? [names.get(typeId) ?? 'unknown', 'other' as const]
    return { name, type, kind }
  })
}

/** Impossible in a failed transaction: names stay unknown. */
async function readTypeNames(session: Session, ids: readonly number[]): Promise<Map<number, string>> {
  const text = `select t.oid::text, pg_catalog.format_type(t.oid, null) from pg_catalog.pg_type t
                 where t.oid = any($1::pg_catalog.oid[])`
  try {
    const { rows } = await session.query({ text, values: [`{${ids.join(',')}}`] })
    return new Map(rows.map(([id, name]) => [Number(id), name ?? 'unknown']))
  } catch {
    return new Map()
  }
}
