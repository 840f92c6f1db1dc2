import type { Session } from '@trellis/workspace-db/session'
import { type StageRules, findRuleViolations, deleteStagedRows, listRulesOverColumns } from '../checks.ts'
import { qualifyPlatformTable } from '../own-tables.ts'
import { insertRows } from '../insert-rows.ts'
import { createStage, dropStage } from '../stage.ts'
import type { Target } from '../target.ts'
import { type BadRow, assertWithinLimit, toNamedCells } from './bad-rows.ts'
import { toChunk, findLinesByNumber } from './copy-lines.ts'
import { copyChunk } from './fill-straight.ts'
import {
  type ChunkResult,
  type ChunkWrite,
  type ChunkTransaction,
  type ChunkTarget,
  hasZeroByte,
} from './chunk-write.ts'
import { UNKNOWN_KEYS, subtractKeySums } from './keys/key-sum.ts'
import { sumTableKeys } from './keys/table-keys.ts'
import { excludeExistingRows, moveExistingRangeAside } from './existing-rows.ts'
import type { Chunk, Load } from './load.ts'
import { recordRowTransaction } from './progress.ts'

const MAX_VIOLATIONS = 10_000

/** Via a staging table, where rows can be examined; used after a violation, or if rows may exist already. */
export async function fillThroughStage(
  session: Session,
  load: Load,
  input: ChunkWrite,
): Promise<ChunkResult & ChunkTransaction> {
  const { chunk: originalChunk, destination, required, rowsBefore, badBefore, edge, reader } = input
  const { chunk, bad: zeroByteRows, toLineNumber } = removeRowsWithZeroBytes(load, originalChunk, rowsBefore)
  const stageName = `load_${load.loadId.replaceAll('-', '')}_1`
  await dropStage(session, stageName)
  const columns = load.columns.map((column) => ({ name: column.name, type: column.postgres }))
  await createStage(session, { name: stageName, columns, isLogged: false, isNumbered: 'by_itself' })
  await session.query({ text: 'savepoint fill' })
  const stageTarget: ChunkTarget = { quoted: qualifyPlatformTable(stageName), target: undefined }
  const stagedRows = await copyChunk(session, load, { ...input, chunk, destination: stageTarget, rowsBefore: 0 })
  // Skipped lines count too.
  const toSourceRow = (row: number) => (row <= chunk.rows ? row : (stagedRows.late[row - chunk.rows - 1] ?? row))
  const columnNames = load.columns.map((column) => column.name)
  const { target } = destination
  const keysBefore = reader && (await sumTableKeys(session, { table: stageTarget.quoted, reader }))
  const existingRows = edge && target ? await excludeExistingRows(session, load, { stage: stageName, edge, target }) : 0
  const violations = await findRuleViolations(
    session,
    buildRules(destination.target, { stage: stageName, names: columnNames, required }),
    MAX_VIOLATIONS,
  )
  const lines = findLinesByNumber(
    chunk,
    violations.map(({ row }) => toSourceRow(row)),
  )
  const violatingRows = violations.map(({ row, column, value, reason }): BadRow => {
    const line = lines.get(toSourceRow(row)) ?? ''
    const number = rowsBefore + toLineNumber(toSourceRow(row))
    return { row: number, line: number, column, value, reason, raw: line, cells: toNamedCells(load, line) }
  })
  const misfitRows = stagedRows.bad.map((row) => {
    const number = rowsBefore + toLineNumber(row.line)
    return { ...row, row: number, line: number }
  })
  const badRows = [...zeroByteRows, ...misfitRows, ...violatingRows]
  assertWithinLimit(load, badRows, badBefore)
  await deleteStagedRows(
    session,
    stageName,
    violations.map(({ row }) => row),
  )
  const lostKeySum =
    keysBefore && subtractKeySums(keysBefore, await sumTableKeys(session, { table: stageTarget.quoted, reader }))
  const hasRowsAside = edge !== null && (await moveExistingRangeAside(session, load, { stage: stageName, edge })) > 0
  const rows = await insertRows(
    session,
    { target: destination.target, targetTable: destination.quoted },
    { sourceTable: qualifyPlatformTable(stageName), columns: columnNames },
  )
  const xid = destination.target ? await recordRowTransaction(session, load.loadId, rows) : null
  await session.query({ text: `drop table ${qualifyPlatformTable(stageName)}` })
  const keptKeySum = stagedRows.keys && lostKeySum ? subtractKeySums(stagedRows.keys, lostKeySum) : null
  // How many edge rows are added is known only at the end.
  return {
    rows,
    bad: badRows,
    emptied: stagedRows.emptied,
    existingRows,
    keys: keptKeySum && hasRowsAside ? UNKNOWN_KEYS : keptKeySum,
    xid,
  }
}

function buildRules(
  target: Target | undefined,
  { stage, names: columnNames, required }: { stage: string; names: readonly string[]; required: readonly string[] },
): StageRules {
  const requiredColumns = (target?.columns ?? []).filter(
    ({ name: stageName, isNullable }) => !isNullable && columnNames.includes(stageName),
  )
  const hasKey = target?.primaryKey.every((key) => columnNames.includes(key))
  return {
    stage,
    required: [...new Set([...required, ...requiredColumns.map(({ name: stageName }) => stageName)])],
    key: hasKey ? (target?.primaryKey ?? []) : [],
    existingTable: target,
    table: listRulesOverColumns(target, columnNames),
  }
}

const ZERO_BYTE_REASON = 'Has a character that no text in the database can have (a zero byte).'

function removeRowsWithZeroBytes(load: Load, chunk: Chunk, rowsBefore: number) {
  if (!chunk.parts.some(hasZeroByte)) return { chunk, bad: [], toLineNumber: (line: number) => line }
  const cleanLines: string[] = []
  const lineNumbers: number[] = []
  const badRows: BadRow[] = []
  const lines = findLinesByNumber(
    chunk,
    Array.from({ length: chunk.rows }, (_, index) => index + 1),
  )
  for (const [number, line] of lines) {
    if (!line.includes('\0')) {
      cleanLines.push(line)
      lineNumbers.push(number)
      continue
    }
    const cleanLine = line.replaceAll('\0', '�')
    const cells = toNamedCells(load, cleanLine)
    const column = load.columns.find((_, index) => (line.split('\t')[index] ?? '').includes('\0'))?.name ?? null
    const value = column === null ? null : (cells[column] ?? null)
    badRows.push({
      row: rowsBefore + number,
      line: rowsBefore + number,
      column,
      value,
      reason: ZERO_BYTE_REASON,
      raw: cleanLine,
      cells,
    })
  }
  return { chunk: toChunk(cleanLines), bad: badRows, toLineNumber: (line: number) => lineNumbers[line - 1] ?? line }
}
