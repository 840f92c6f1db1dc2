import { WorkspaceDbError } from '@trellis/workspace-db/errors'
import type { Session } from '@trellis/workspace-db/session'
import type { Target } from '../target.ts'
import { type SkippedLine, copyAndRecordSkipped, getFirstLine, buildCsvCopy } from '../copy-csv.ts'
import type { KeyReader } from './keys/key-reader.ts'
import { type KeySum, NO_KEYS, addKeySums } from './keys/key-sum.ts'
import type { Chunk, CsvRecords, Load } from './load.ts'

const MAX_SKIPPED_LINES = 10_000

interface CopyTarget {
  readonly quoted: string
  readonly target: Target | undefined
}

export interface CopiedRecords {
  readonly rows: number
  readonly skippedRows: Chunk | undefined
  readonly keys: KeySum
}

/** After savepoint `fill`. Undefined, and nothing written, if COPY cannot read the records or skips too many. */
export async function copyRecords(
  session: Session,
  load: Load,
  { chunk, destination, reader }: { chunk: Chunk; destination: CopyTarget; reader: KeyReader | undefined },
): Promise<CopiedRecords | undefined> {
  const { csv } = chunk
  if (!csv) return undefined
  const skippedLines: SkippedLine[] = []
  let keys = NO_KEYS
  const addKeys = (part: Uint8Array) => {
    if (reader) keys = addKeySums(keys, reader.sumRecords(part, csv))
  }
  const text = buildCsvCopy(destination.quoted, csv, MAX_SKIPPED_LINES)
  load.onStatement?.(text)
  if (destination.target) await session.query({ text: 'set local search_path = data' })
  try {
    const rows = await copyAndRecordSkipped(session, {
      text,
      chunks: streamParts(chunk, { csv, onPart: addKeys }),
      skipped: skippedLines,
    })
    const skippedRows = findSkippedRows(chunk, csv, skippedLines)
    if (rows + (skippedRows?.rows ?? 0) === chunk.rows) {
      if (destination.target) await session.query({ text: 'set local search_path = pg_catalog' })
      return { rows, skippedRows, keys }
    }
  } catch (error) {
    if (!(error instanceof WorkspaceDbError) || !error.sqlState?.startsWith('22')) throw error
  }
  await session.query({ text: 'rollback to savepoint fill' })
  return undefined
}

export function toLines(chunk: Chunk): Chunk {
  const { csv, cursor, isLast } = chunk
  return csv ? { ...csv.toLines(), cursor, isLast } : chunk
}

function findSkippedRows({ parts }: Chunk, csv: CsvRecords, skippedLines: readonly SkippedLine[]): Chunk | undefined {
  if (skippedLines.length === 0) return undefined
  const recordNumbers = findRecordOffsets(
    parts,
    csv,
    skippedLines.map(({ line }) => line),
  )
  return { ...csv.toLines(recordNumbers), places: recordNumbers, isLast: false }
}

async function* streamParts(
  chunk: Chunk,
  { csv, onPart }: { csv: CsvRecords; onPart: (part: Uint8Array) => void },
): AsyncGenerator<Uint8Array> {
  yield getFirstLine(csv.eol)
  for (let at = 0; at < chunk.parts.length || (await chunk.more?.()); at += 1) {
    const part = chunk.parts[at] as Uint8Array
    onPart(part)
    yield part
  }
}

const LF = 10
const CR = 13

/** COPY counts the extra first line, and line breaks within quotes. */
function findRecordOffsets(
  parts: readonly Uint8Array[],
  { quote, eol }: Pick<CsvRecords, 'quote' | 'eol'>,
  lines: readonly number[],
): number[] {
  const wantedLines = new Set(lines)
  const [quoteByte, endByte] = [quote.charCodeAt(0), eol === '\n' ? LF : CR]
  const recordNumbers: number[] = []
  let [line, record, isQuoted] = [2, 1, false]
  for (const part of parts) {
    for (const byte of part) {
      if (byte === quoteByte) isQuoted = !isQuoted
      if (byte !== endByte) continue
      if (!isQuoted && wantedLines.has(line)) recordNumbers.push(record)
      if (!isQuoted) record += 1
      line += 1
    }
    if (recordNumbers.length === wantedLines.size) break
  }
  return recordNumbers
}
