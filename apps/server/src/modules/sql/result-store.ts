import type { ObjectStore } from '../../platform/object-store/object-store.ts'
import type { StoredChunk } from './sql-jobs.repository.ts'

export type ResultRow = readonly (string | null)[]

/** Small enough that a page costs little, large enough that a million rows are some hundred objects. */
const CHUNK_CHARACTERS = 1024 * 1024
const MAX_CHUNK_ROWS = 10_000

const chunkKey = (jobId: string, statement: number, chunk: number) =>
  `results/${jobId}/${statement}/${String(chunk).padStart(6, '0')}`

export interface ResultWriter {
  add(rows: readonly ResultRow[]): Promise<void>
  /** Writes what is still in memory. */
  finish(): Promise<void>
  readonly chunks: readonly StoredChunk[]
  /** Rows that are in no chunk yet. */
  readonly pending: { readonly firstRow: number; readonly rows: readonly ResultRow[] }
}

/** Rows go to the store in chunks of JSON lines, so that memory stays flat however long a result is. */
export function createResultWriter(objects: ObjectStore, place: { jobId: string; statement: number }): ResultWriter {
  const chunks: StoredChunk[] = []
  let lines: string[] = []
  let rows: ResultRow[] = []
  let characters = 0
  let firstRow = 0
  /** The chunk that is on its way, while the rows of the next one come in. */
  let storing: { readonly rows: readonly ResultRow[]; readonly done: Promise<void> } | undefined

  async function store(body: Buffer, count: number): Promise<void> {
    await objects.put(chunkKey(place.jobId, place.statement, chunks.length), body, { isShortLived: true })
    chunks.push({ firstRow, rows: count })
    firstRow += count
    storing = undefined
  }

  async function flush(): Promise<void> {
    await storing?.done
    if (rows.length === 0) return
    const done = store(Buffer.from(`${lines.join('\n')}\n`), rows.length)
    // Whoever waits for it next hears of a failure; until then it must not end the process.
    done.catch(() => undefined)
    storing = { rows, done }
    lines = []
    rows = []
    characters = 0
  }

  return {
    async add(more) {
      for (const row of more) {
        const line = JSON.stringify(row)
        lines.push(line)
        rows.push(row)
        characters += line.length
        if (characters >= CHUNK_CHARACTERS || rows.length >= MAX_CHUNK_ROWS) await flush()
      }
    },
    async finish() {
      await flush()
      await storing?.done
    },
    chunks,
    get pending() {
      return { firstRow, rows: storing ? [...storing.rows, ...rows] : rows }
    },
  }
}

export interface StoredResult {
  readonly jobId: string
  readonly statement: number
  readonly chunks: readonly StoredChunk[]
}

/** At most `limit` rows from `firstRow` on. */
export async function readStoredRows(
  objects: ObjectStore,
  result: StoredResult,
  { firstRow, limit }: { firstRow: number; limit: number },
): Promise<ResultRow[]> {
  const end = firstRow + limit
  const found: ResultRow[] = []
  for (const [at, chunk] of result.chunks.entries()) {
    if (chunk.firstRow >= end || chunk.firstRow + chunk.rows <= firstRow) continue
    const lines = await readLines(objects, result, at)
    const [from, to] = [Math.max(0, firstRow - chunk.firstRow), Math.min(chunk.rows, end - chunk.firstRow)]
    for (const line of lines.slice(from, to)) found.push(JSON.parse(line) as ResultRow)
  }
  return found
}

/** All rows, a chunk at a time. */
export async function* streamStoredRows(objects: ObjectStore, result: StoredResult): AsyncGenerator<ResultRow[]> {
  const count = result.chunks.length
  const read = (at: number) => readText(objects, result, at)
  let next = count === 0 ? undefined : read(0)
  for (let at = 0; at < count; at += 1) {
    const text = await next
    next = at + 1 < count ? read(at + 1) : undefined
    // A reader that stops early leaves the next chunk unread.
    next?.catch(() => undefined)
    // One parse of a whole chunk takes half the time of one a line; no value holds a line break as such.
    yield JSON.parse(`[${text?.trimEnd().replaceAll('\n', ',') ?? ''}]`) as ResultRow[]
  }
}

const readLines = async (objects: ObjectStore, result: StoredResult, chunk: number): Promise<string[]> =>
  (await readText(objects, result, chunk)).trimEnd().split('\n')

async function readText(objects: ObjectStore, { jobId, statement }: StoredResult, chunk: number): Promise<string> {
  const { stream } = await objects.get(chunkKey(jobId, statement, chunk))
  const parts: Uint8Array[] = []
  for await (const part of stream) parts.push(part as Uint8Array)
  return Buffer.concat(parts).toString('utf8')
}

export async function deleteStoredResults(objects: ObjectStore, jobId: string): Promise<void> {
  for (;;) {
    const { objects: found } = await objects.list(`results/${jobId}/`)
    if (found.length === 0) return
    for (const { key } of found) await objects.delete(key)
  }
}
