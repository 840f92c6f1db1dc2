import type { Session } from '@trellis/workspace-db/session'
import { quoteName } from '@trellis/workspace-db/identifiers'
import { stagingTableName, toOwnTableName } from '../../own-tables.ts'
import type { Target } from '../../target.ts'
import type { WrittenColumn } from '../../plan/tables.ts'
import type { Load } from '../load.ts'
import { joinNames } from '../table-steps.ts'

/** w(rite), d(elete), m(oved to another key); a mask of columns to keep; the previous key. */
const OP_COLUMN = 'trellis_op'
const KEPT_COLUMN = 'trellis_kept'
const OLD_KEY_PREFIX = 'trellis_old_'
const oldKeyColumn = (at: number) => `${OLD_KEY_PREFIX}${at}`

export const controlColumns = (key: readonly WrittenColumn[]): WrittenColumn[] => [
  { field: OP_COLUMN, name: OP_COLUMN, postgres: 'text' },
  { field: KEPT_COLUMN, name: KEPT_COLUMN, postgres: 'text' },
  ...key.map(({ postgres }, at) => ({ field: oldKeyColumn(at), name: oldKeyColumn(at), postgres })),
]

export const isControlColumn = (name: string): boolean =>
  name === OP_COLUMN || name === KEPT_COLUMN || name.startsWith(OLD_KEY_PREFIX)

export const isMovedRow = (cells: Readonly<Record<string, string | null>>): boolean => cells[OP_COLUMN] === 'm'

interface MergeChangesInput {
  readonly target: Target
  readonly columns: readonly string[]
  readonly hasKept: boolean
  readonly hasMoved: boolean
}

export interface MergedChanges {
  readonly inserted: number
  readonly updated: number
  readonly deleted: number
  readonly incomplete: number
}

export async function mergeChanges(session: Session, load: Load, merging: MergeChangesInput): Promise<MergedChanges> {
  const { target, columns, hasKept, hasMoved } = merging
  const { key } = load
  const deletedAt = load.deletedAt === undefined ? null : quoteName(load.deletedAt)
  const own = toOwnTableName(stagingTableName(load.loadId))
  const place = (name: string) => columns.indexOf(name) + 1
  const isKept = (name: string) => `substr(s.${KEPT_COLUMN}, ${place(name)}, 1) = '1'`
  const others = columns.filter((name) => !key.includes(name))
  const old = (name: string) => quoteName(`o_${place(name)}`)
  const onOld = key.map((name, at) => `o.${quoteName(name)} = s.${oldKeyColumn(at)}`).join(' and ')
  const using = hasMoved
    ? `(select s.*, o.ctid is not null as has_old, ${others.map((name) => `o.${quoteName(name)} as ${old(name)}`).join(', ') || '1 as o'}
          from ${own} s left join ${target.quoted} o on ${onOld})`
    : own
  const value = (name: string, there: string) => {
    const given = `s.${quoteName(name)}`
    if (!hasKept || key.includes(name)) return given
    const moved = hasMoved ? `when ${isKept(name)} and s.${oldKeyColumn(0)} is not null then s.${old(name)} ` : ''
    return `case ${moved}when ${isKept(name)} then ${there} else ${given} end`
  }
  const sets = others.map((name) => `${quoteName(name)} = ${value(name, `t.${quoteName(name)}`)}`).join(', ')
  const inserted = columns.map((name) => value(name, 'null')).join(', ')
  const isIncomplete = hasKept
    ? `merge_action() = 'INSERT' and s.${KEPT_COLUMN} is not null${hasMoved ? ' and not s.has_old' : ''}`
    : 'false'
  const text = `with merged as (
      merge into ${target.quoted} t using ${using} s on ${key.map((name) => `t.${quoteName(name)} = s.${quoteName(name)}`).join(' and ')}
      when matched and s.${OP_COLUMN} <> 'w' then ${deletedAt ? `update set ${deletedAt} = s.${deletedAt}` : 'delete'}
      when matched then ${others.length === 0 ? 'do nothing' : `update set ${sets}`}
      when not matched and s.${OP_COLUMN} = 'w' then insert (${joinNames(columns)}) values (${inserted})
      returning case when s.${OP_COLUMN} = 'w' then merge_action() else 'DELETE' end as action, ${isIncomplete} as is_incomplete)
    select count(*) filter (where action = 'INSERT'), count(*) filter (where action = 'UPDATE'),
      count(*) filter (where action = 'DELETE'), count(*) filter (where is_incomplete) from merged`
  load.onStatement?.(text)
  await session.query({ text: 'set local search_path = data' })
  const { rows } = await session.query({ text })
  await session.query({ text: 'set local search_path = pg_catalog' })
  const [insertedRows = 0, updated = 0, deleted = 0, incomplete = 0] = (rows[0] ?? []).map(Number)
  return { inserted: insertedRows, updated, deleted, incomplete }
}

export async function deleteAll(
  session: Session,
  { deletedAt }: Load,
  { target, at }: { target: Target; at: string },
): Promise<number> {
  if (deletedAt === undefined) return (await session.query({ text: `delete from ${target.quoted}` })).rowCount
  const column = quoteName(deletedAt)
  const type = target.columns.find(({ name }) => name === deletedAt)?.type ?? 'timestamptz'
  const text = `update ${target.quoted} set ${column} = $1::text::${type} where ${column} is null`
  return (await session.query({ text, values: [at] })).rowCount
}
