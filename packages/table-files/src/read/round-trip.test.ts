import { expect, test } from 'vitest'
import type { FileColumn } from '../write/table-stream.ts'
import { writeParquet } from '../write/write-parquet.ts'
import { writeXlsx } from '../write/write-xlsx.ts'
import { bufferSource } from './byte-source.ts'
import { openRows } from './open-rows.ts'
import { profileFile } from '../profile/profile-file.ts'

const columns: FileColumn[] = [
  { name: 'id', type: { kind: 'int64' } },
  { name: 'name', type: { kind: 'text' } },
  { name: 'amount', type: { kind: 'decimal', precision: 20, scale: 2 } },
  { name: 'paid', type: { kind: 'boolean' } },
  { name: 'day', type: { kind: 'date' } },
  { name: 'at', type: { kind: 'timestamptz' } },
]
const rows = [
  ['1', 'Ada "the first"', '12345678901234567.89', 'true', '2024-02-29', '2024-02-29 12:30:00+00'],
  ['9007199254740993', 'two\nlines', '-0.05', 'false', '1999-12-31', '1999-12-31 23:59:59+00'],
  ['3', null, null, null, null, null],
]

async function written(file: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  for await (const chunk of file) chunks.push(chunk)
  return Buffer.concat(chunks)
}
async function* batches() {
  yield rows
}

async function readBack(bytes: Buffer) {
  const source = bufferSource(bytes)
  const profile = await profileFile(source)
  const table = await openRows(source, { dialect: profile.dialect, packing: profile.packing })
  const found = []
  for await (const batch of table.rows()) found.push(...batch.map((row) => row.cells))
  return { headers: table.headers, types: profile.columns.map((column) => column.fitting_types[0]), found }
}

test('Parquet comes back with every digit', async () => {
  const { headers, types, found } = await readBack(await written(writeParquet({ columns, batches: batches() })))
  expect(headers).toEqual(columns.map((column) => column.name))
  expect(found).toEqual(rows)
  expect(types).toEqual(['integer', 'text', 'decimal', 'boolean', 'date', 'timestamptz'])
})

test('a workbook comes back with its texts, numbers and dates', async () => {
  const { headers, found } = await readBack(await written(writeXlsx({ columns, batches: batches() })))
  expect(headers).toEqual(columns.map((column) => column.name))
  expect(found.map((row) => row.slice(0, 2))).toEqual(rows.map((row) => row.slice(0, 2)))
  expect(found.map((row) => row[4])).toEqual(rows.map((row) => row[4]))
})
