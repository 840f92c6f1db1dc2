import type { Session } from '@trellis/workspace-db/session'
import { quoteName } from '@trellis/workspace-db/identifiers'
import { besideName, ownTable } from '../../own-tables.ts'
import { type Target, findTarget } from '../../target.ts'
import type { Load } from '../load.ts'
import { type ComparedColumn, comparedColumns, usableKey } from './compared-columns.ts'
import type { Comparison, DifferentRow, Shadow } from './comparison.ts'

/** Of each kind of difference so many rows are shown, each value up to so many characters. */
const SHOWN_ROWS = 20
const SHOWN_CHARACTERS = 200

type Counts = Pick<Comparison, 'added' | 'changed' | 'gone' | 'same' | 'changedColumns' | 'sample'>
type Found = Counts & Pick<Comparison, 'hasTable' | 'key'>

interface Compared {
  readonly load: Load
  readonly shadow: Shadow
  readonly target: Target
  readonly columns: readonly ComparedColumn[]
  readonly key: readonly string[]
}

/** What is beside against what is in the table, which is only read. */
export async function compareWithTable(session: Session, load: Load, shadow: Shadow): Promise<Found> {
  const target = await findTarget(session, shadow.of)
  if (!target) return { ...(await allAdded(session, load)), hasTable: false, key: [] }
  const columns = comparedColumns(load.columns, target)
  const key = usableKey(shadow.key, { target, columns })
  const compared = { load, shadow, target, columns, key }
  if (key.length > 0) return { ...(await compareByKey(session, compared)), hasTable: true, key }
  if (!shadow.isWhole) return { ...(await allAdded(session, load)), hasTable: true, key }
  if (columns.length > 0) return { ...(await compareWholeRows(session, compared)), hasTable: true, key }
  // Not one column in common: another table altogether takes its place.
  const { rows } = await session.query({ text: `select count(*) from ${target.quoted}` })
  return { ...(await allAdded(session, load)), gone: Number(rows[0]?.[0]), hasTable: true, key }
}

const beside = ({ loadId }: Load) => ownTable(besideName(loadId))
const shown = (value: string) => `left(${value}::text, ${SHOWN_CHARACTERS})`
const NOTHING = { added: 0, changed: 0, gone: 0, same: 0, changedColumns: [], sample: [] } as const

/** Nothing could be the same as one of these rows. */
async function allAdded(session: Session, load: Load): Promise<Counts> {
  const { rows } = await session.query({ text: `select count(*) from ${beside(load)}` })
  const values = load.columns.map(({ name }) => shown(`b.${quoteName(name)}`))
  const sample = await session.query({
    text: `select ${values.join(', ')} from ${beside(load)} b limit ${SHOWN_ROWS}`,
  })
  return {
    ...NOTHING,
    added: Number(rows[0]?.[0]),
    sample: sample.rows.map((after) => ({ change: 'added', before: null, after })),
  }
}

/** A join in which a row of either side may stand alone; `b` and `t` tell whether the side is there. */
function joined({ load, shadow, target, columns, key }: Compared): string {
  const on = columns.filter(({ name }) => key.includes(name)).map((column) => `${column.beside} = ${column.there}`)
  const differs = columns
    .filter(({ name }) => !key.includes(name))
    .map((column, at) => `${column.beside} is distinct from ${column.there} as d${at}`)
  const sides = ['b.ctid is not null as has_b', 't.ctid is not null as has_t', ...differs]
  return `from ${beside(load)} b ${shadow.isWhole ? 'full' : 'left'} join ${target.quoted} t on ${on.join(' and ')}
          cross join lateral (select ${sides.join(', ')}) x`
}

async function compareByKey(session: Session, compared: Compared): Promise<Counts> {
  const { columns, key } = compared
  const others = columns.filter(({ name }) => !key.includes(name))
  const isChanged = others.length === 0 ? 'false' : `(${others.map((_, at) => `x.d${at}`).join(' or ')})`
  const each = others.map((_, at) => `count(*) filter (where x.has_b and x.has_t and x.d${at})`)
  const { rows } = await session.query({
    text: `select count(*) filter (where not x.has_t), count(*) filter (where not x.has_b),
                  count(*) filter (where x.has_b and x.has_t and ${isChanged}),
                  count(*) filter (where x.has_b and x.has_t and not ${isChanged})
                  ${each.map((one) => `, ${one}`).join('')} ${joined(compared)}`,
  })
  const [added, gone, changed, same, ...byColumn] = (rows[0] ?? []).map(Number)
  return {
    added: added ?? 0,
    gone: gone ?? 0,
    changed: changed ?? 0,
    same: same ?? 0,
    changedColumns: others
      .map(({ name }, at) => ({ name, rows: byColumn[at] ?? 0 }))
      .filter((column) => column.rows > 0)
      .toSorted((one, other) => other.rows - one.rows),
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
  compared: Compared,
  { change, where }: { change: DifferentRow['change']; where: string },
): Promise<DifferentRow[]> {
  const { load, target } = compared
  const isThere = (name: string) => target.columns.some((column) => column.name === name)
  const after = load.columns.map(({ name }) => shown(`b.${quoteName(name)}`))
  const before = load.columns.map(({ name }) => (isThere(name) ? shown(`t.${quoteName(name)}`) : 'null'))
  const { rows } = await session.query({
    text: `select ${[...before, ...after].join(', ')} ${joined(compared)} where ${where} limit ${SHOWN_ROWS}`,
  })
  return rows.map((row) => ({
    change,
    before: change === 'added' ? null : row.slice(0, before.length),
    after: change === 'gone' ? null : row.slice(before.length),
  }))
}

/** Rows that are alike meet one by one: of three against two one is added. */
async function compareWholeRows(session: Session, { load, target, columns }: Compared): Promise<Counts> {
  const own = `select ${columns.map(({ beside: value }) => value).join(', ')} from ${beside(load)} b`
  const there = `select ${columns.map(({ there: value }) => value).join(', ')} from ${target.quoted} t`
  const ways = { added: `${own} except all ${there}`, gone: `${there} except all ${own}` }
  const { rows } = await session.query({
    text: `select (select count(*) from ${beside(load)}), (select count(*) from (${ways.added}) a),
                  (select count(*) from (${ways.gone}) g)`,
  })
  const [all = 0, added = 0, gone = 0] = (rows[0] ?? []).map(Number)
  return {
    ...NOTHING,
    added,
    gone,
    same: all - added,
    sample: [
      ...(added ? await readSample(session, load, { columns, rows: ways.added, change: 'added' }) : []),
      ...(gone ? await readSample(session, load, { columns, rows: ways.gone, change: 'gone' }) : []),
    ],
  }
}

async function readSample(
  session: Session,
  load: Load,
  { columns, rows: text, change }: { columns: readonly ComparedColumn[]; rows: string; change: 'added' | 'gone' },
): Promise<DifferentRow[]> {
  const names = columns.map((_, at) => `c${at}`)
  const values = load.columns.map(({ name }) => {
    const at = columns.findIndex((column) => column.name === name)
    return at < 0 ? 'null' : shown(`r.c${at}`)
  })
  const { rows } = await session.query({
    text: `select ${values.join(', ')} from (${text}) r(${names.join(', ')}) limit ${SHOWN_ROWS}`,
  })
  return rows.map((row) => ({ change, before: change === 'gone' ? row : null, after: change === 'added' ? row : null }))
}
