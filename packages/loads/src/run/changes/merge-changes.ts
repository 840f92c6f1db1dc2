import type { Session } from '@trellis/workspace-db/session'
import { quoteName } from '@trellis/workspace-db/identifiers'
import { toStagingTableName, qualifyPlatformTable } from '../../own-tables.ts'
import type { Target } from '../../target.ts'
import type { WrittenColumn } from '../../plan/tables.ts'
import type { Load } from '../load.ts'
import { joinNames } from '../table-steps.ts'

/** w(rite), d(elete), m(oved to another key); a mask of columns to keep; the previous key. */
const OP_COLUMN = 'trellis_op'
const KEPT_COLUMN = 'trellis_kept'
const OLD_KEY_PREFIX = 'trellis_old_'
const toOldKeyColumn = (index: number) => `${OLD_KEY_PREFIX}${index}`

export const buildControlColumns = (key: readonly WrittenColumn[]): WrittenColumn[] => [
  { field: OP_COLUMN, name: OP_COLUMN, postgres: 'text' },
  { field: KEPT_COLUMN, name: KEPT_COLUMN, postgres: 'text' },
  ...key.map(({ postgres }, index) => ({ field: toOldKeyColumn(index), name: toOldKeyColumn(index), postgres })),
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

/** Applies staged net changes (writes, deletes, moved keys) to the table in one MERGE. */
export async function mergeChanges(session: Session, load: Load, input: MergeChangesInput): Promise<MergedChanges> {
  const { target, columns, hasKept, hasMoved } = input
  const { key } = load
  const deletedAt = load.deletedAt === undefined ? null : quoteName(load.deletedAt)
  const stagingTable = qualifyPlatformTable(toStagingTableName(load.loadId))
  const getMaskPosition = (name: string) => columns.indexOf(name) + 1
  const buildIsKept = (name: string) => `substr(s.${KEPT_COLUMN}, ${getMaskPosition(name)}, 1) = '1'`
  const nonKeyColumns = columns.filter((name) => !key.includes(name))
  const toOldColumn = (name: string) => quoteName(`o_${getMaskPosition(name)}`)
  const oldKeyCondition = key.map((name, index) => `o.${quoteName(name)} = s.${toOldKeyColumn(index)}`).join(' and ')
  const sourceRows = hasMoved
    ? `(select s.*, o.ctid is not null as has_old, ${nonKeyColumns.map((name) => `o.${quoteName(name)} as ${toOldColumn(name)}`).join(', ') || '1 as o'}
          from ${stagingTable} s left join ${target.quoted} o on ${oldKeyCondition})`
    : stagingTable
  const buildValue = (name: string, valueIfKept: string) => {
    const stagedValue = `s.${quoteName(name)}`
    if (!hasKept || key.includes(name)) return stagedValue
    const movedCase = hasMoved
      ? `when ${buildIsKept(name)} and s.${toOldKeyColumn(0)} is not null then s.${toOldColumn(name)} `
      : ''
    return `case ${movedCase}when ${buildIsKept(name)} then ${valueIfKept} else ${stagedValue} end`
  }
  const assignments = nonKeyColumns
    .map((name) => `${quoteName(name)} = ${buildValue(name, `t.${quoteName(name)}`)}`)
    .join(', ')
  const insertedValues = columns.map((name) => buildValue(name, 'null')).join(', ')
  const isIncomplete = hasKept
    ? `merge_action() = 'INSERT' and s.${KEPT_COLUMN} is not null${hasMoved ? ' and not s.has_old' : ''}`
    : 'false'
  const text = `with merged as (
      merge into ${target.quoted} t using ${sourceRows} s on ${key.map((name) => `t.${quoteName(name)} = s.${quoteName(name)}`).join(' and ')}
      when matched and s.${OP_COLUMN} <> 'w' then ${deletedAt ? `update set ${deletedAt} = s.${deletedAt}` : 'delete'}
      when matched then ${nonKeyColumns.length === 0 ? 'do nothing' : `update set ${assignments}`}
      when not matched and s.${OP_COLUMN} = 'w' then insert (${joinNames(columns)}) values (${insertedValues})
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

export async function deleteAllRows(
  session: Session,
  { deletedAt }: Load,
  { target, at: deletedAtValue }: { target: Target; at: string },
): Promise<number> {
  if (deletedAt === undefined) return (await session.query({ text: `delete from ${target.quoted}` })).rowCount
  const column = quoteName(deletedAt)
  const type = target.columns.find(({ name }) => name === deletedAt)?.type ?? 'timestamptz'
  const text = `update ${target.quoted} set ${column} = $1::text::${type} where ${column} is null`
  return (await session.query({ text, values: [deletedAtValue] })).rowCount
}
