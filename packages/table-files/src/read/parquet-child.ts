import { flushCompileCache } from 'node:module'
import { type FileMetaData, parquetRead } from 'hyparquet'
import { compressors } from 'hyparquet-compressors'

export interface GroupWork {
  readonly metadata: FileMetaData
  readonly bytes: Uint8Array
  readonly offset: number
  readonly fileBytes: number
  readonly rowStart: number
  readonly rowEnd: number
}
export type GroupAnswer = { readonly rows: unknown[][] } | { readonly end: true; readonly problem: string | null }

const BATCH = 1_000

/** The library fails on empty LZ4 pages. */
const unpackers = Object.fromEntries(
  Object.entries(compressors).map(([codec, unpack]) => [
    codec,
    (packed: Uint8Array, length: number) => (length === 0 ? new Uint8Array() : unpack(packed, length)),
  ]),
)

async function readGroup({ metadata, bytes, offset, fileBytes, rowStart, rowEnd }: GroupWork): Promise<unknown[][]> {
  let rows: unknown[][] = []
  const whole = new Uint8Array(bytes).buffer
  const file = {
    byteLength: fileBytes,
    slice: (start: number, end = fileBytes) => whole.slice(Math.max(0, start - offset), Math.max(0, end - offset)),
  }
  const onComplete = (all: unknown[][]) => (rows = all)
  const options = { utf8: false, parsers: { timestampFromNanoseconds: (nanos: bigint) => nanos } }
  await parquetRead({ file, metadata, rowStart, rowEnd, compressors: unpackers, onComplete, ...options })
  return rows
}

const sendAnswer = (answer: GroupAnswer) =>
  new Promise<void>((resolve) => process.send?.(answer, undefined, undefined, () => resolve()))

async function answer(work: GroupWork): Promise<void> {
  try {
    const rows = await readGroup(work)
    for (let from = 0; from < rows.length; from += BATCH) await sendAnswer({ rows: rows.slice(from, from + BATCH) })
    await sendAnswer({ end: true, problem: null })
  } catch (error) {
    await sendAnswer({ end: true, problem: String(error) })
  }
}

process.on('message', (work: GroupWork) => void answer(work))
process.on('disconnect', () => process.exit())
// It ends by SIGKILL, which would leave the compile cache unwritten.
flushCompileCache()
