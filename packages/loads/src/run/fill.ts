import { WorkspaceDbError } from '@trellis/workspace-db/errors'
import type { Session } from '@trellis/workspace-db/session'
import { toLines, copyRecords } from './copy-records.ts'
import { fillCarefully } from './fill-carefully.ts'
import { fillStraight } from './fill-straight.ts'
import { type ChunkResult, type ChunkWrite, type ChunkWatermark, hasZero } from './chunk-write.ts'
import type { KeyReader } from './keys/key-reader.ts'
import { NO_KEYS, subtractKeySums, addKeySums } from './keys/key-sum.ts'
import type { Chunk, Load } from './load.ts'
import { markRows } from './progress.ts'

/** Every row is either written or rejected. */
export async function fill(session: Session, load: Load, filling: ChunkWrite): Promise<ChunkResult & ChunkWatermark> {
  const { chunk, place, edge } = filling
  if (chunk.csv) await session.query({ text: `set local datestyle = 'ISO, ${chunk.csv.dateOrder}'` })
  await session.query({ text: 'savepoint fill' })
  try {
    if (edge) return await fillCarefully(session, load, await toLineChunk(filling))
    const filled = chunk.csv ? await fillRecords(session, load, filling) : await fillStraight(session, load, filling)
    await readWhole(chunk)
    if (!filled) return await fill(session, load, await toLineChunk(filling))
    if (chunk.csv || !chunk.parts.some(hasZero)) {
      return { ...filled, mark: place.target ? await markRows(session, load.loadId, filled.rows) : null }
    }
  } catch (error) {
    if (!isRuleBroken(error) || edge) throw error
  }
  await session.query({ text: 'rollback to savepoint fill' })
  return await fillCarefully(session, load, await toLineChunk(filling))
}

async function readWhole(chunk: Chunk): Promise<void> {
  while (await chunk.more?.());
  if (chunk.fault !== undefined) throw chunk.fault
}

async function toLineChunk(filling: ChunkWrite): Promise<ChunkWrite> {
  await readWhole(filling.chunk)
  return { ...filling, chunk: toLines(filling.chunk) }
}

/** Copies CSV records directly; undefined if they must become lines first. */
async function fillRecords(session: Session, load: Load, filling: ChunkWrite): Promise<ChunkResult | undefined> {
  const { reader } = filling
  const copiedRecords = await copyRecords(session, load, filling)
  if (!copiedRecords) return undefined
  const { rows, left } = copiedRecords
  const keys = reader ? copiedRecords.keys : null
  if (!left) return { rows, bad: [], emptied: 0, known: 0, keys }
  const again = await fillStraight(session, load, { ...filling, chunk: left })
  const lostKeySum = reader && again.keys && subtractKeySums(readLineKeys(reader, left), again.keys)
  return { ...again, rows: rows + again.rows, keys: keys && lostKeySum ? subtractKeySums(keys, lostKeySum) : null }
}

const readLineKeys = (reader: KeyReader, { parts }: Chunk) =>
  parts.reduce((sum, part) => addKeySums(sum, reader.ofLines(part)), NO_KEYS)

const isRuleBroken = (error: unknown) => error instanceof WorkspaceDbError && (error.sqlState ?? '').startsWith('23')
