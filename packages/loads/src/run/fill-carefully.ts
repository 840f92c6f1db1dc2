import type { Session } from '@trellis/workspace-db/session'
import { type Rules, findBroken, removeRows, listRulesFor } from '../checks.ts'
import { toOwnTableName } from '../own-tables.ts'
import { insertRows } from '../insert-rows.ts'
import { createStage, dropStage } from '../stage.ts'
import type { Target } from '../target.ts'
import { type BadRow, assertWithin, toNamedCells } from './bad-rows.ts'
import { toChunk, findLines } from './copy-lines.ts'
import { fillStraight } from './fill-straight.ts'
import { type ChunkResult, type ChunkWrite, type ChunkWatermark, type ChunkTarget, hasZero } from './chunk-write.ts'
import { UNKNOWN_KEYS, subtractKeySums } from './keys/key-sum.ts'
import { sumKeysIn } from './keys/table-keys.ts'
import { excludeExistingRows, putEdgeAside } from './existing-rows.ts'
import type { Chunk, Load } from './load.ts'
import { markRows } from './progress.ts'

const MAX_LISTED = 10_000

/** Via a staging table, where rows can be examined; used after a violation, or if rows may exist already. */
export async function fillCarefully(
  session: Session,
  load: Load,
  filling: ChunkWrite,
): Promise<ChunkResult & ChunkWatermark> {
  const { chunk: givenChunk, place, required, rowsBefore, badBefore, edge, reader } = filling
  const { chunk, bad: zeros, toLineNumber } = withoutZeros(load, givenChunk, rowsBefore)
  const name = `load_${load.loadId.replaceAll('-', '')}_1`
  await dropStage(session, name)
  const columns = load.columns.map((column) => ({ name: column.name, type: column.postgres }))
  await createStage(session, { name, columns, isLogged: false, isNumbered: 'by_itself' })
  await session.query({ text: 'savepoint fill' })
  const ownChunkTarget: ChunkTarget = { quoted: toOwnTableName(name), target: undefined }
  const staged = await fillStraight(session, load, { ...filling, chunk, place: ownChunkTarget, rowsBefore: 0 })
  // Skipped lines count too.
  const toSourceRow = (row: number) => (row <= chunk.rows ? row : (staged.late[row - chunk.rows - 1] ?? row))
  const names = load.columns.map((column) => column.name)
  const { target } = place
  const before = reader && (await sumKeysIn(session, { table: ownChunkTarget.quoted, reader }))
  const known = edge && target ? await excludeExistingRows(session, load, { stage: name, edge, target }) : 0
  const broken = await findBroken(session, buildRules(place.target, { stage: name, names, required }), MAX_LISTED)
  const lines = findLines(
    chunk,
    broken.map(({ row }) => toSourceRow(row)),
  )
  const refusedBadRows = broken.map(({ row, column, value, reason }): BadRow => {
    const line = lines.get(toSourceRow(row)) ?? ''
    const number = rowsBefore + toLineNumber(toSourceRow(row))
    return { row: number, line: number, column, value, reason, raw: line, cells: toNamedCells(load, line) }
  })
  const misfits = staged.bad.map((row) => {
    const number = rowsBefore + toLineNumber(row.line)
    return { ...row, row: number, line: number }
  })
  const badRows = [...zeros, ...misfits, ...refusedBadRows]
  assertWithin(load, badRows, badBefore)
  await removeRows(
    session,
    name,
    broken.map(({ row }) => row),
  )
  const lostKeySum =
    before && subtractKeySums(before, await sumKeysIn(session, { table: ownChunkTarget.quoted, reader }))
  const isAside = edge !== null && (await putEdgeAside(session, load, { stage: name, edge })) > 0
  const rows = await insertRows(
    session,
    { target: place.target, into: place.quoted },
    { from: toOwnTableName(name), columns: names },
  )
  const mark = place.target ? await markRows(session, load.loadId, rows) : null
  await session.query({ text: `drop table ${toOwnTableName(name)}` })
  const keptKeySum = staged.keys && lostKeySum ? subtractKeySums(staged.keys, lostKeySum) : null
  // How many edge rows are added is known only at the end.
  return {
    rows,
    bad: badRows,
    emptied: staged.emptied,
    known,
    keys: keptKeySum && isAside ? UNKNOWN_KEYS : keptKeySum,
    mark,
  }
}

function buildRules(
  target: Target | undefined,
  { stage, names, required }: { stage: string; names: readonly string[]; required: readonly string[] },
): Rules {
  const ownColumns = (target?.columns ?? []).filter(({ name, isNullable }) => !isNullable && names.includes(name))
  const hasKey = target?.primaryKey.every((key) => names.includes(key))
  return {
    stage,
    required: [...new Set([...required, ...ownColumns.map(({ name }) => name)])],
    key: hasKey ? (target?.primaryKey ?? []) : [],
    existing: target,
    table: listRulesFor(target, names),
  }
}

const ZERO = 'Has a character that no text in the database can have (a zero byte).'

function withoutZeros(load: Load, chunk: Chunk, before: number) {
  if (!chunk.parts.some(hasZero)) return { chunk, bad: [], toLineNumber: (line: number) => line }
  const kept: string[] = []
  const numbers: number[] = []
  const badRows: BadRow[] = []
  const all = findLines(
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
    const cells = toNamedCells(load, clean)
    const column = load.columns.find((_, at) => (line.split('\t')[at] ?? '').includes('\0'))?.name ?? null
    const value = column === null ? null : (cells[column] ?? null)
    badRows.push({ row: before + number, line: before + number, column, value, reason: ZERO, raw: clean, cells })
  }
  return { chunk: toChunk(kept), bad: badRows, toLineNumber: (line: number) => numbers[line - 1] ?? line }
}
