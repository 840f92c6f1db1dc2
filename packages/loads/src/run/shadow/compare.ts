import type { Session } from '@trellis/workspace-db/session'
import { quoteName } from '@trellis/workspace-db/identifiers'
import { durableTableName, toOwnTableName } from '../../own-tables.ts'
import { type Target, findTarget } from '../../target.ts'
import type { WrittenColumn } from '../../plan/tables.ts'
import type { Load } from '../load.ts'
import { type ComparedColumn, getComparedColumns, findUsableKey } from './compared-columns.ts'
import type { Comparison, DifferentRow, Shadow } from './comparison.ts'

const SHOWN_ROWS = 20
const SHOWN_CHARACTERS = 200

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

export async function compareWithTable(session: Session, load: Load, shadow: Shadow): Promise<ComparisonCounts> {
  const rows = { staged: toOwnTableName(durableTableName(load.loadId)), written: load.columns }
  const target = await findTarget(session, shadow.of)
  if (!target) return { ...(await compareWithEmptyTable(session, rows)), hasTable: false, key: [] }
  const columns = getComparedColumns(load.columns, target)
  const key = findUsableKey(shadow.key, { target, columns })
  const compared = {
    ...rows,
    target,
    columns,
    key,
    isWhole: shadow.isWhole,
    shownRows: SHOWN_ROWS,
    countsColumns: true,
  }
  if (key.length > 0) return { ...(await compareByKey(session, compared)), hasTable: true, key }
  if (!shadow.isWhole) return { ...(await compareWithEmptyTable(session, rows)), hasTable: true, key }
  if (columns.length > 0) return { ...(await compareWholeRows(session, compared)), hasTable: true, key }
  const { rows: counted } = await session.query({ text: `select count(*) from ${target.quoted}` })
  return { ...(await compareWithEmptyTable(session, rows)), gone: Number(counted[0]?.[0]), hasTable: true, key }
}

const shortenValue = (value: string) => `left(${value}::text, ${SHOWN_CHARACTERS})`
const NOTHING = { added: 0, changed: 0, gone: 0, same: 0, changedColumns: [], sample: [] } as const

async function compareWithEmptyTable(
  session: Session,
  { staged, written }: Pick<TableComparisonInput, 'staged' | 'written'>,
) {
  const { rows } = await session.query({ text: `select count(*) from ${staged}` })
  const values = written.map(({ name }) => shortenValue(`b.${quoteName(name)}`))
  const sample = await session.query({ text: `select ${values.join(', ')} from ${staged} b limit ${SHOWN_ROWS}` })
  return {
    ...NOTHING,
    added: Number(rows[0]?.[0]),
    sample: sample.rows.map((after) => ({ change: 'added' as const, before: null, after })),
  }
}

function buildJoin({ staged, isWhole, target, columns, key }: TableComparisonInput): string {
  const on = columns.filter(({ name }) => key.includes(name)).map((column) => `${column.beside} = ${column.there}`)
  const differs = columns
    .filter(({ name }) => !key.includes(name))
    .map((column, at) => `${column.beside} is distinct from ${column.there} as d${at}`)
  const sides = ['b.ctid is not null as has_b', 't.ctid is not null as has_t', ...differs]
  return `from ${staged} b ${isWhole ? 'full' : 'left'} join ${target.quoted} t on ${on.join(' and ')}
          cross join lateral (select ${sides.join(', ')}) x`
}

/** By a unique key. */
export async function compareByKey(session: Session, compared: TableComparisonInput): Promise<Counts> {
  const { columns, key, countsColumns } = compared
  const others = columns.filter(({ name }) => !key.includes(name))
  const each = others.map((_, at) => `, count(*) filter (where x.has_b and x.has_t and x.d${at})`)
  const isChanged = others.length === 0 ? 'false' : `(${others.map((_, at) => `x.d${at}`).join(' or ')})`
  const { rows } = await session.query({
    text: `select count(*) filter (where not x.has_t), count(*) filter (where not x.has_b),
                  count(*) filter (where x.has_b and x.has_t and ${isChanged}),
                  count(*) filter (where x.has_b and x.has_t and not ${isChanged})
                  ${countsColumns ? each.join('') : ''} ${buildJoin(compared)}`,
  })
  const [added = 0, gone = 0, changed = 0, same = 0, ...byColumn] = (rows[0] ?? []).map(Number)
  return {
    added,
    gone,
    changed,
    same,
    changedColumns: others
      .map(({ name }, at) => ({ name, rows: byColumn[at] ?? 0 }))
      .filter((column) => column.rows > 0)
      .toSorted((item, other) => other.rows - item.rows),
    sample: [
      ...(changed
        ? await sampleByKey(session, compared, { change: 'changed', where: `x.has_b and x.has_t and ${isChanged}` })
        : []),
      ...(added ? await sampleByKey(session, compared, { change: 'added', where: 'not x.has_t' }) : []),
      ...(gone ? await sampleByKey(session, compared, { change: 'gone', where: 'not x.has_b' }) : []),
    ],
  }
}

async function sampleByKey(
  session: Session,
  compared: TableComparisonInput,
  { change, where }: { change: DifferentRow['change']; where: string },
): Promise<DifferentRow[]> {
  const { written, target, shownRows } = compared
  const isThere = (name: string) => target.columns.some((column) => column.name === name)
  const after = written.map(({ name }) => shortenValue(`b.${quoteName(name)}`))
  const before = written.map(({ name }) => (isThere(name) ? shortenValue(`t.${quoteName(name)}`) : 'null'))
  const { rows } = await session.query({
    text: `select ${[...before, ...after].join(', ')} ${buildJoin(compared)} where ${where} limit ${shownRows}`,
  })
  return rows.map((row) => ({
    change,
    before: change === 'added' ? null : row.slice(0, before.length),
    after: change === 'gone' ? null : row.slice(before.length),
  }))
}

/** Duplicates are matched one by one. */
async function compareWholeRows(session: Session, compared: TableComparisonInput) {
  const { staged, target, columns } = compared
  const own = `select ${columns.map(({ beside: value }) => value).join(', ')} from ${staged} b`
  const there = `select ${columns.map(({ there: value }) => value).join(', ')} from ${target.quoted} t`
  const ways = { added: `${own} except all ${there}`, gone: `${there} except all ${own}` }
  const { rows } = await session.query({
    text: `select (select count(*) from ${staged}), (select count(*) from (${ways.added}) a),
                  (select count(*) from (${ways.gone}) g)`,
  })
  const [all = 0, added = 0, gone = 0] = (rows[0] ?? []).map(Number)
  return {
    ...NOTHING,
    added,
    gone,
    same: all - added,
    sample: [
      ...(added ? await readSample(session, compared, { rows: ways.added, change: 'added' }) : []),
      ...(gone ? await readSample(session, compared, { rows: ways.gone, change: 'gone' }) : []),
    ],
  }
}

async function readSample(
  session: Session,
  { columns, written }: TableComparisonInput,
  { rows: text, change }: { rows: string; change: 'added' | 'gone' },
): Promise<DifferentRow[]> {
  const names = columns.map((_, at) => `c${at}`)
  const values = written.map(({ name }) => {
    const at = columns.findIndex((column) => column.name === name)
    return at < 0 ? 'null' : shortenValue(`r.c${at}`)
  })
  const { rows } = await session.query({
    text: `select ${values.join(', ')} from (${text}) r(${names.join(', ')}) limit ${SHOWN_ROWS}`,
  })
  return rows.map((row) => ({ change, before: change === 'gone' ? row : null, after: change === 'added' ? row : null }))
}
