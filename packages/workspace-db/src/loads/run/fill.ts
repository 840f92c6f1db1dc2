import { WorkspaceDbError } from '../../errors.ts'
import type { Session } from '../../session.ts'
import { type Rules, findBroken, removeRows, rulesFor } from '../checks.ts'
import { ownTable, quoteName } from '../identifiers.ts'
import { insertAsUsual } from '../publish.ts'
import { ROW_COLUMN } from '../stage.ts'
import type { Target } from '../target.ts'
import { type BadRow, type Skipped, assertWithin, explainSkipped, namedCells, skippedIn } from './bad-rows.ts'
import { chunkOfLines, lineOf, linesOf } from './copy-lines.ts'
import { asLines, copyRecords } from './copy-records.ts'
import { leaveOutKnown, putEdgeAside } from './known-rows.ts'
import { type Chunk, type Edge, type Load, RowsRefused } from './load.ts'
import { markRows } from './progress.ts'

/** Where lines go: a table of the platform's own, or the table itself. */
export interface Place {
  readonly quoted: string
  /** The table itself, whose rules and triggers hold. */
  readonly target: Target | undefined
}

export interface Filling {
  readonly chunk: Chunk
  readonly place: Place
  /** Columns that tell rows apart and must have a value. */
  readonly required: readonly string[]
  readonly rowsBefore: number
  readonly badBefore: number
  /** Rows up to here may be in the table already. */
  readonly edge: Edge | null
}

export interface Filled {
  readonly rows: number
  readonly bad: readonly BadRow[]
  /** Values that did not fit and were left out, their rows were not. */
  readonly emptied: number
  /** Rows that were in the table already. */
  readonly known: number
}

const MOST_LISTED = 10_000
const OVER_LIMIT = /REJECT_LIMIT/

/** A row is where it belongs or among the bad ones, never both and never neither. */
export async function fill(session: Session, load: Load, filling: Filling): Promise<Filled> {
  const { chunk, place, edge } = filling
  if (chunk.csv) await session.query({ text: `set local datestyle = 'ISO, ${chunk.csv.dateOrder}'` })
  await session.query({ text: 'savepoint fill' })
  try {
    if (edge) return await fillCarefully(session, load, await wholeLines(filling))
    const filled = chunk.csv ? await fillRecords(session, load, filling) : await fillStraight(session, load, filling)
    await readWhole(chunk)
    if (!filled) return await fill(session, load, await wholeLines(filling))
    if (chunk.csv || !chunk.parts.some(hasZero)) {
      if (place.target) await markRows(session, load.loadId, filled.rows)
      return filled
    }
  } catch (error) {
    if (!isRuleBroken(error) || edge) throw error
  }
  await session.query({ text: 'rollback to savepoint fill' })
  return await fillCarefully(session, load, await wholeLines(filling))
}

async function readWhole(chunk: Chunk): Promise<void> {
  while (await chunk.more?.());
  if (chunk.fault !== undefined) throw chunk.fault
}

async function wholeLines(filling: Filling): Promise<Filling> {
  await readWhole(filling.chunk)
  return { ...filling, chunk: asLines(filling.chunk) }
}

/** Records of CSV as they are, those that COPY skips as lines. Nothing when all of them have to be lines. */
async function fillRecords(session: Session, load: Load, filling: Filling): Promise<Filled | undefined> {
  const copied = await copyRecords(session, load, filling)
  if (!copied?.left) return copied && { rows: copied.rows, bad: [], emptied: 0, known: 0 }
  const again = await fillStraight(session, load, { ...filling, chunk: copied.left })
  return { ...again, rows: copied.rows + again.rows }
}

const hasZero = (part: Uint8Array) => part.includes(0)
const isRuleBroken = (error: unknown) => error instanceof WorkspaceDbError && (error.sqlState ?? '').startsWith('23')

interface FilledStraight extends Filled {
  /** Lines that were copied again behind all others, each as often as a value was taken out of it. */
  readonly late: readonly number[]
}

async function fillStraight(session: Session, load: Load, filling: Filling): Promise<FilledStraight> {
  const { chunk, place } = filling
  const { rows, skipped } = await copyLines(session, load, { chunk, place, badBefore: filling.badBefore })
  const bad = await explainSkipped(session, load, { skipped, chunk, before: filling.rowsBefore })
  if (load.badRows.choice === 'set_null' && bad.length > 0) {
    const again = await fillEmptied(session, load, { ...filling, place, bad })
    return { ...again, rows: rows + again.rows }
  }
  assertWithin(load, bad, filling.badBefore)
  return { rows, bad, emptied: 0, known: 0, late: [] }
}

/** A row has at most as many values that do not fit as it has columns. */
async function fillEmptied(
  session: Session,
  load: Load,
  filling: Filling & { bad: readonly BadRow[] },
): Promise<FilledStraight> {
  const { place, required, badBefore } = filling
  const stuck: BadRow[] = []
  const late: number[] = []
  let open = filling.bad
  let rows = 0
  let emptied = 0
  while (open.length > 0) {
    const mended = open.flatMap((row) => {
      if (row.column === null || required.includes(row.column)) {
        stuck.push(row)
        return []
      }
      return [{ ...row, cells: { ...row.cells, [row.column]: null } }]
    })
    assertWithin(load, stuck, badBefore)
    emptied += mended.length
    if (mended.length === 0) break
    const chunk = chunkOfLines(mended.map(({ cells }) => lineOf(load.columns.map(({ name }) => cells[name] ?? null))))
    const copied = await copyLines(session, load, { chunk, place, badBefore: 0 })
    rows += copied.rows
    late.push(...mended.map(({ line }) => line))
    const again = await explainSkipped(session, load, { skipped: copied.skipped, chunk, before: 0 })
    open = again.map((row) => {
      const from = mended[row.line - 1] as BadRow
      return { ...row, row: from.row, line: from.line, raw: from.raw }
    })
  }
  return { rows, bad: stuck, emptied, known: 0, late }
}

async function copyLines(
  session: Session,
  load: Load,
  { chunk, place, badBefore }: { chunk: Chunk; place: Place; badBefore: number },
): Promise<{ rows: number; skipped: Skipped[] }> {
  const skipped: Skipped[] = []
  const columns = load.columns.map(({ name }) => quoteName(name)).join(', ')
  const { choice, most } = load.badRows
  // With all of a chunk skipped the list would be as long as the chunk; nobody mends that row by row.
  const limit = choice === 'stop' ? 1 : choice === 'set_null' ? MOST_LISTED : Math.max(1, most - badBefore + 1)
  const text = `copy ${place.quoted} (${columns}) from stdin
    with (format text, encoding 'UTF8', on_error ignore, log_verbosity verbose, reject_limit ${limit})`
  load.onStatement?.(text)
  if (place.target) await session.query({ text: 'set local search_path = data' })
  try {
    const rows = await session.copyIn({
      text,
      chunks: partsOf(chunk),
      onNotice: (message) => {
        const one = skippedIn(message)
        if (one) skipped.push(one)
      },
    })
    if (place.target) await session.query({ text: 'set local search_path = pg_catalog' })
    return { rows, skipped }
  } catch (error) {
    if (!(error instanceof WorkspaceDbError) || !OVER_LIMIT.test(error.message)) throw error
    await session.query({ text: 'rollback to savepoint fill' })
    const bad = await explainSkipped(session, load, { skipped: skipped.slice(0, 1), chunk, before: 0 })
    assertWithin(load, bad, Number.MAX_SAFE_INTEGER / 2)
    throw new RowsRefused('Too many rows do not fit their columns.')
  }
}

/** As they come; up to one with a zero byte, with which no COPY would come to its end. */
async function* partsOf(chunk: Chunk): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < chunk.parts.length || (await chunk.more?.()); at += 1) {
    const part = chunk.parts[at]
    if (!part || hasZero(part)) return
    yield part
  }
}

/** Through a table of its own in which every row can be looked at: when one broke a rule, or some may be there already. */
async function fillCarefully(session: Session, load: Load, filling: Filling): Promise<Filled> {
  const { chunk: given, place, required, rowsBefore, badBefore, edge } = filling
  const { chunk, bad: zeros, numberOf } = withoutZeros(load, given, rowsBefore)
  const name = `load_${load.loadId.replaceAll('-', '')}_1`
  const columns = load.columns.map((column) => `${quoteName(column.name)} ${column.postgres}`)
  await session.query({ text: `drop table if exists ${ownTable(name)}` })
  await session.query({
    text: `create unlogged table ${ownTable(name)} (${ROW_COLUMN} bigint generated always as identity, ${columns.join(', ')})`,
  })
  await session.query({ text: 'savepoint fill' })
  const own: Place = { quoted: ownTable(name), target: undefined }
  const staged = await fillStraight(session, load, { ...filling, chunk, place: own, rowsBefore: 0 })
  // A line that is skipped takes a number all the same.
  const placeOf = (row: number) => (row <= chunk.rows ? row : (staged.late[row - chunk.rows - 1] ?? row))
  const names = load.columns.map((column) => column.name)
  const { target } = place
  const known = edge && target ? await leaveOutKnown(session, load, { stage: name, edge, target }) : 0
  const broken = await findBroken(session, rulesOf(place.target, { stage: name, names, required }), MOST_LISTED)
  const lines = linesOf(
    chunk,
    broken.map(({ row }) => placeOf(row)),
  )
  const refused = broken.map(({ row, column, value, reason }): BadRow => {
    const line = lines.get(placeOf(row)) ?? ''
    const number = rowsBefore + numberOf(placeOf(row))
    return { row: number, line: number, column, value, reason, raw: line, cells: namedCells(load, line) }
  })
  const misfits = staged.bad.map((row) => {
    const number = rowsBefore + numberOf(row.line)
    return { ...row, row: number, line: number }
  })
  const bad = [...zeros, ...misfits, ...refused]
  assertWithin(load, bad, badBefore)
  await removeRows(
    session,
    name,
    broken.map(({ row }) => row),
  )
  if (edge) await putEdgeAside(session, load, { stage: name, edge })
  const list = names.map((column) => quoteName(column)).join(', ')
  const overriding = place.target?.columns.some(({ isIdentity, name: column }) => isIdentity && names.includes(column))
  const rows = await insertAsUsual(
    session,
    `insert into ${place.quoted} (${list}) ${overriding ? 'overriding system value' : ''} select ${list} from ${ownTable(name)}`,
  )
  if (place.target) await markRows(session, load.loadId, rows)
  await session.query({ text: `drop table ${ownTable(name)}` })
  return { rows, bad, emptied: staged.emptied, known }
}

function rulesOf(
  target: Target | undefined,
  { stage, names, required }: { stage: string; names: readonly string[]; required: readonly string[] },
): Rules {
  const own = (target?.columns ?? []).filter(({ name, isNullable }) => !isNullable && names.includes(name))
  const hasKey = target?.primaryKey.every((key) => names.includes(key))
  return {
    stage,
    required: [...new Set([...required, ...own.map(({ name }) => name)])],
    key: hasKey ? (target?.primaryKey ?? []) : [],
    beside: target,
    table: rulesFor(target, names),
  }
}

const ZERO = 'Has a character that no text in the database can have (a zero byte).'

function withoutZeros(load: Load, chunk: Chunk, before: number) {
  if (!chunk.parts.some(hasZero)) return { chunk, bad: [], numberOf: (line: number) => line }
  const kept: string[] = []
  const numbers: number[] = []
  const bad: BadRow[] = []
  const all = linesOf(
    chunk,
    Array.from({ length: chunk.rows }, (_, at) => at + 1),
  )
  for (const [number, line] of all) {
    if (!line.includes('\0')) {
      kept.push(line)
      numbers.push(number)
      continue
    }
    const clean = line.replaceAll('\0', '�')
    const cells = namedCells(load, clean)
    const column = load.columns.find((_, at) => (line.split('\t')[at] ?? '').includes('\0'))?.name ?? null
    const value = column === null ? null : (cells[column] ?? null)
    bad.push({ row: before + number, line: before + number, column, value, reason: ZERO, raw: clean, cells })
  }
  return { chunk: chunkOfLines(kept), bad, numberOf: (line: number) => numbers[line - 1] ?? line }
}
