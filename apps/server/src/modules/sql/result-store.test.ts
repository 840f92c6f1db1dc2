import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { createLocalStore } from '../../platform/object-store/local-store.ts'
import type { ObjectStore } from '../../platform/object-store/object-store.ts'
import { createResultWriter, readStoredRows } from './result-store.ts'

const folder = await mkdtemp(join(tmpdir(), 'trellis-results-'))
afterAll(() => rm(folder, { recursive: true, force: true }))

const WORD = 'x'.repeat(1000)
const ROWS_OF_A_BATCH = 500

function toDataRow(value: string): Buffer {
  const row = Buffer.alloc(11 + value.length)
  row.write('D')
  row.writeUInt32BE(10 + value.length, 1)
  row.writeUInt16BE(1, 5)
  row.writeInt32BE(value.length, 7)
  row.write(value, 11)
  return row
}

const toRow = (at: number) => `${at} ${WORD}`
const upTo = (end: number, from = 0) => Array.from({ length: end - from }, (_, at) => [toRow(from + at)])

/** All batches share one buffer, as in a session. */
async function addBatches(writer: ReturnType<typeof createResultWriter>, count: number, first = 0): Promise<void> {
  for (let batch = first; batch < first + count; batch += 1) {
    const rows = Array.from({ length: ROWS_OF_A_BATCH }, (_, at) => toDataRow(toRow(batch * ROWS_OF_A_BATCH + at)))
    const bytes = Buffer.concat(rows)
    await writer.add({ bytes, rows: ROWS_OF_A_BATCH })
    bytes.fill(0)
  }
}

test('rows are the same in their chunks and before, across the borders of both', async () => {
  const objects = createLocalStore(folder)
  const place = { jobId: randomUUID(), statement: 0 }
  const writer = createResultWriter(objects, place)
  await addBatches(writer, 21)
  const total = 21 * ROWS_OF_A_BATCH
  const { firstRow, count } = writer.pending
  expect(firstRow + count).toBe(total)
  expect(writer.pending.decode({ firstRow, limit: total })).toEqual(upTo(total, firstRow))
  expect(writer.pending.decode({ firstRow: total - 3, limit: 2 })).toEqual(upTo(total - 1, total - 3))
  await writer.finish()
  expect(writer.chunks.length).toBeGreaterThan(3)
  expect(writer.pending.count).toBe(0)
  const result = { ...place, chunks: writer.chunks }
  expect(await readStoredRows(objects, result, { firstRow: 0, limit: total + 1 })).toEqual(upTo(total))
  const border = writer.chunks[1]?.firstRow ?? 0
  expect(await readStoredRows(objects, result, { firstRow: border - 2, limit: 4 })).toEqual(
    upTo(border + 2, border - 2),
  )
})

test('no more than one chunk is on its way, and rows of both can be read', async () => {
  const local = createLocalStore(folder)
  const waiting: (() => void)[] = []
  const objects: ObjectStore = {
    ...local,
    put: async (...put) => {
      await new Promise<void>((resolve) => waiting.push(resolve))
      return await local.put(...put)
    },
  }
  const writer = createResultWriter(objects, { jobId: randomUUID(), statement: 0 })
  let isAdded = false
  const adding = addBatches(writer, 14).then(() => (isAdded = true))
  await expect.poll(() => waiting.length).toBe(1)
  const { count } = writer.pending
  expect(isAdded).toBe(false)
  expect(writer.pending.decode({ firstRow: 0, limit: count })).toEqual(upTo(count))
  expect(count).toBeLessThan(14 * ROWS_OF_A_BATCH)
  const finishing = adding.then(() => writer.finish())
  const over = finishing.then(() => true)
  while (!(await Promise.race([over, new Promise((resolve) => setImmediate(resolve, false))]))) waiting.shift()?.()
  expect(writer.chunks.reduce((sum, { rows }) => sum + rows, 0)).toBe(14 * ROWS_OF_A_BATCH)
})
