import type { Session } from '@trellis/workspace-db/session'
import { quoteName } from '@trellis/workspace-db/identifiers'
import { toDurableTableName, qualifyPlatformTable } from '../../own-tables.ts'
import { type Target, findTarget } from '../../target.ts'
import type { WrittenColumn } from '../../plan/tables.ts'
import type { Load } from '../load.ts'
import { type ComparedColumn, getComparedColumns, findUsableKey } from './compared-columns.ts'
import type { Comparison, DifferentRow, DryRun } from './comparison.ts'

const MAX_SAMPLE_ROWS = 20
const MAX_SAMPLE_CHARACTERS = 200

type Counts = Pick<Comparison, 'added' | 'changed' | 'gone' | 'same' | 'changedColumns' | 'sample'>
type ComparisonCounts = Counts & Pick<Comparison, 'hasTable' | 'key'>

export interface TableComparisonInput {
  readonly staged: string
  readonly written: readonly WrittenColumn[]
  readonly target: Target
  readonly columns: readonly ComparedColumn[]
  readonly key: readonly string[]
  readonly isWhole: boolean
  readonly shownRows: number
  readonly countsColumns: boolean
}

export async function compareWithTable(session: Session, load: Load, shadow: DryRun): Promise<ComparisonCounts> {
  const rows = { staged: qualifyPlatformTable(toDurableTableName(load.loadId)), written: load.columns }
  const target = await findTarget(session, shadow.comparedTable)
  if (!target) return { ...(await sampleAsAdded(session, rows)), hasTable: false, key: [] }
  const columns = getComparedColumns(load.columns, target)
  const key = findUsableKey(shadow.key, { target, columns })
  const comparison = {
    ...rows,
    target,
    columns,
    key,
    isWhole: shadow.isWhole,
    shownRows: MAX_SAMPLE_ROWS,
    countsColumns: true,
  }
  if (key.length > 0) return { ...(await compareByKey(session, comparison)), hasTable: true, key }
  if (!shadow.isWhole) return { ...(await sampleAsAdded(session, rows)), hasTable: true, key }
  if (columns.length > 0) return { ...(await compareWholeRows(session, comparison)), hasTable: true, key }
  const { rows: countRows } = await session.query({ text: `select count(*) from ${target.quoted}` })
  return { ...(await sampleAsAdded(session, rows)), gone: Number(countRows[0]?.[0]), hasTable: true, key }
}

const buildShortValue = (value: string) => `left(${value}::text, ${MAX_SAMPLE_CHARACTERS})`
const NO_DIFFERENCES = { added: 0, changed: 0, gone: 0, same: 0, changedColumns: [], sample: [] } as const

async function sampleAsAdded(session: Session, { staged, written }: Pick<TableComparisonInput, 'staged' | 'written'>) {
  const { rows } = await session.query({ text: `select count(*) from ${staged}` })
  const values = written.map(({ name }) => buildShortValue(`b.${quoteName(name)}`))
  const sample = await session.query({ text: `select ${values.join(', ')} from ${staged} b limit ${MAX_SAMPLE_ROWS}` })
  return {
    ...NO_DIFFERENCES,
    added: Number(rows[0]?.[0]),
    sample: sample.rows.map((after) => ({ change: 'added' as const, before: null, after })),
  }
}

function buildJoin({ staged, isWhole, target, columns, key }: TableComparisonInput): string {
  const joinConditions = columns
    .filter(({ name }) => key.includes(name))
    .map((column) => `${column.stagedExpression} = ${column.tableExpression}`)
  const differenceColumns = columns
    .filter(({ name }) => !key.includes(name))
    .map((column, index) => `${column.stagedExpression} is distinct from ${column.tableExpression} as d${index}`)
  const joinColumns = ['b.ctid is not null as has_b', 't.ctid is not null as has_t', ...differenceColumns]
  return `from ${staged} b ${isWhole ? 'full' : 'left'} join ${target.quoted} t on ${joinConditions.join(' and ')}
          cross join lateral (select ${joinColumns.join(', ')}) x`
}

/** By a unique key. */
export async function compareByKey(session: Session, comparison: TableComparisonInput): Promise<Counts> {
  const { columns, key, countsColumns } = comparison
  const nonKeyColumns = columns.filter(({ name }) => !key.includes(name))
  const columnCounts = nonKeyColumns.map((_, index) => `, count(*) filter (where x.has_b and x.has_t and x.d${index})`)
  const changedCondition =
    nonKeyColumns.length === 0 ? 'false' : `(${nonKeyColumns.map((_, index) => `x.d${index}`).join(' or ')})`
  const { rows } = await session.query({
    text: `select count(*) filter (where not x.has_t), count(*) filter (where not x.has_b),
                  count(*) filter (where x.has_b and x.has_t and ${changedCondition}),
                  count(*) filter (where x.has_b and x.has_t and not ${changedCondition})
                  ${countsColumns ? columnCounts.join('') : ''} ${buildJoin(comparison)}`,
  })
  const [added = 0, removed = 0, changed = 0, unchanged = 0, ...changesByColumn] = (rows[0] ?? []).map(Number)
  return {
    added,
    gone: removed,
    changed,
    same: unchanged,
    changedColumns: nonKeyColumns
      .map(({ name }, index) => ({ name, rows: changesByColumn[index] ?? 0 }))
      .filter((column) => column.rows > 0)
      .toSorted((item, other) => other.rows - item.rows),
    sample: [
      ...(changed
        ? await sampleByKey(session, comparison, {
            change: 'changed',
            where: `x.has_b and x.has_t and ${changedCondition}`,
          })
        : []),
      ...(added ? await sampleByKey(session, comparison, { change: 'added', where: 'not x.has_t' }) : []),
      ...(removed ? await sampleByKey(session, comparison, { change: 'gone', where: 'not x.has_b' }) : []),
    ],
  }
}

async function sampleByKey(
  session: Session,
  comparison: TableComparisonInput,
  { change, where }: { change: DifferentRow['change']; where: string },
): Promise<DifferentRow[]> {
  const { written, target, shownRows } = comparison
  const isInTable = (name: string) => target.columns.some((column) => column.name === name)
  const after = written.map(({ name }) => buildShortValue(`b.${quoteName(name)}`))
  const before = written.map(({ name }) => (isInTable(name) ? buildShortValue(`t.${quoteName(name)}`) : 'null'))
  const { rows } = await session.query({
    text: `select ${[...before, ...after].join(', ')} ${buildJoin(comparison)} where ${where} limit ${shownRows}`,
  })
  return rows.map((row) => ({
    change,
    before: change === 'added' ? null : row.slice(0, before.length),
    after: change === 'gone' ? null : row.slice(before.length),
  }))
}

/** Duplicates are matched one by one. */
async function compareWholeRows(session: Session, comparison: TableComparisonInput) {
  const { staged, target, columns } = comparison
  const stagedRows = `select ${columns.map(({ stagedExpression: value }) => value).join(', ')} from ${staged} b`
  const tableRows = `select ${columns.map(({ tableExpression: value }) => value).join(', ')} from ${target.quoted} t`
  const differenceQueries = {
    added: `${stagedRows} except all ${tableRows}`,
    gone: `${tableRows} except all ${stagedRows}`,
  }
  const { rows } = await session.query({
    text: `select (select count(*) from ${staged}), (select count(*) from (${differenceQueries.added}) a),
                  (select count(*) from (${differenceQueries.gone}) g)`,
  })
  const [stagedCount = 0, added = 0, removed = 0] = (rows[0] ?? []).map(Number)
  return {
    ...NO_DIFFERENCES,
    added,
    gone: removed,
    same: stagedCount - added,
    sample: [
      ...(added ? await readSample(session, comparison, { rows: differenceQueries.added, change: 'added' }) : []),
      ...(removed ? await readSample(session, comparison, { rows: differenceQueries.gone, change: 'gone' }) : []),
    ],
  }
}

async function readSample(
  session: Session,
  { columns, written }: TableComparisonInput,
  { rows: text, change }: { rows: string; change: 'added' | 'gone' },
): Promise<DifferentRow[]> {
  const names = columns.map((_, index) => `c${index}`)
  const values = written.map(({ name }) => {
    const index = columns.findIndex((column) => column.name === name)
    return index < 0 ? 'null' : buildShortValue(`r.c${index}`)
  })
  const { rows } = await session.query({
    text: `select ${values.join(', ')} from (${text}) r(${names.join(', ')}) limit ${MAX_SAMPLE_ROWS}`,
  })
  return rows.map((row) => ({ change, before: change === 'gone' ? row : null, after: change === 'added' ? row : null }))
}
