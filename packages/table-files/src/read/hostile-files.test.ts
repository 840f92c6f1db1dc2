import { parquetWriteBuffer } from 'hyparquet-writer'
import { expect, test } from 'vitest'
import { FileFault, bufferSource } from './byte-source.ts'
import { openParquet } from './parquet-rows.ts'

const ROWS = 2_000_000

async function read(bytes: Uint8Array): Promise<(string | null)[][]> {
  const rows: (string | null)[][] = []
  for await (const batch of (await openParquet(bufferSource(bytes))).rows()) {
    for (const row of batch) rows.push([String(row.row), ...row.cells])
  }
  return rows
}

function write(data: (string | null)[], rowGroupSize: number): Buffer {
  const columnData = [{ name: 'word', data, nullable: true }]
  return Buffer.from(parquetWriteBuffer({ columnData, codec: 'UNCOMPRESSED', rowGroupSize, pageSize: 2 ** 30 }))
}

test('a Parquet file comes back whole, group after group', async () => {
  const words = ['a', null, 'c', 'd', 'e']
  expect(await read(write(words, 2))).toEqual(words.map((word, at) => [String(at + 1), word]))
})

test('a Parquet file whose runs are longer than its groups ends with a sentence, not with the process', async () => {
  const bytes = write(['other', ...Array.from<string>({ length: ROWS - 1 }).fill('same')], ROWS)
  // Patches a run length to 134 million repetitions.
  const index = bytes.indexOf(Buffer.from([0x03, 0xfe, 0xf0, 0x91, 0xf4, 0x01]))
  expect(index).toBeGreaterThan(0)
  bytes.set([0xfe, 0xff, 0xff, 0x7f], index + 2)
  await expect(read(bytes)).rejects.toBeInstanceOf(FileFault)
}, 600_000)
