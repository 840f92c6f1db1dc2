import { WorkspaceDbError } from '@trellis/workspace-db/errors'
import type { Session } from '@trellis/workspace-db/session'
import { toLines, copyRecords } from './copy-records.ts'
import { fillThroughStage } from './fill-carefully.ts'
import { copyChunk } from './fill-straight.ts'
import { type ChunkResult, type ChunkWrite, type ChunkTransaction, hasZeroByte } from './chunk-write.ts'
import type { KeyReader } from './keys/key-reader.ts'
import { NO_KEYS, subtractKeySums, addKeySums } from './keys/key-sum.ts'
import type { Chunk, Load } from './load.ts'
import { recordRowTransaction } from './progress.ts'

/** Every row is either written or rejected. */
export async function fillChunk(
  session: Session,
  load: Load,
  input: ChunkWrite,
): Promise<ChunkResult & ChunkTransaction> {
  const { chunk, destination, edge } = input
  if (chunk.csv) await session.query({ text: `set local datestyle = 'ISO, ${chunk.csv.dateOrder}'` })
  await session.query({ text: 'savepoint fill' })
  try {
    if (edge) return await fillThroughStage(session, load, await toLineChunk(input))
    const chunkResult = chunk.csv ? await fillRecords(session, load, input) : await copyChunk(session, load, input)
    await readAllParts(chunk)
    if (!chunkResult) return await fillChunk(session, load, await toLineChunk(input))
    if (chunk.csv || !chunk.parts.some(hasZeroByte)) {
      return {
        ...chunkResult,
        xid: destination.target ? await recordRowTransaction(session, load.loadId, chunkResult.rows) : null,
      }
    }
  } catch (error) {
    if (!isConstraintViolation(error) || edge) throw error
  }
  await session.query({ text: 'rollback to savepoint fill' })
  return await fillThroughStage(session, load, await toLineChunk(input))
}

async function readAllParts(chunk: Chunk): Promise<void> {
  while (await chunk.more?.());
  if (chunk.fault !== undefined) throw chunk.fault
}

async function toLineChunk(input: ChunkWrite): Promise<ChunkWrite> {
  await readAllParts(input.chunk)
  return { ...input, chunk: toLines(input.chunk) }
}

/** Copies CSV records directly; undefined if they must become lines first. */
async function fillRecords(session: Session, load: Load, input: ChunkWrite): Promise<ChunkResult | undefined> {
  const { reader } = input
  const copiedRecords = await copyRecords(session, load, input)
  if (!copiedRecords) return undefined
  const { rows, skippedRows } = copiedRecords
  const keys = reader ? copiedRecords.keys : null
  if (!skippedRows) return { rows, bad: [], emptied: 0, existingRows: 0, keys }
  const refilled = await copyChunk(session, load, { ...input, chunk: skippedRows })
  const lostKeySum = reader && refilled.keys && subtractKeySums(readLineKeys(reader, skippedRows), refilled.keys)
  return {
    ...refilled,
    rows: rows + refilled.rows,
    keys: keys && lostKeySum ? subtractKeySums(keys, lostKeySum) : null,
  }
}

const readLineKeys = (reader: KeyReader, { parts }: Chunk) =>
  parts.reduce((sum, part) => addKeySums(sum, reader.sumLines(part)), NO_KEYS)

const isConstraintViolation = (error: unknown) =>
  error instanceof WorkspaceDbError && (error.sqlState ?? '').startsWith('23')
