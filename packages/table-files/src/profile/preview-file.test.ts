import { expect, test } from 'vitest'
import { WORKBOOK_FILES } from '../awkward/workbook-files.ts'
import { bufferSource } from '../read/byte-source.ts'
import { previewFile } from './preview-file.ts'

test('the beginning of a large file is enough, and a reading that fails shows its lines', async () => {
  const bytes = Buffer.from(`a;b\n${'1;x\n'.repeat(400_000)}`)
  let readTo = 0
  const source = {
    size: bytes.length,
    async *stream({ start = 0, end = bytes.length } = {}) {
      for (let at = start; at < end; at += 65_536) {
        readTo = Math.max(readTo, at)
        yield bytes.subarray(at, Math.min(end, at + 65_536))
      }
    },
  }
  const read = await previewFile(source, { fileName: 'a.csv' })
  expect(read.profile?.columns.map(({ header }) => header)).toEqual(['a', 'b'])
  expect(readTo).toBeLessThan(256 * 1024)
  const failedFilePreview = await previewFile(source, { given: { format: 'jsonl' } })
  expect(failedFilePreview).toMatchObject({
    profile: undefined,
    problem: expect.stringContaining('Nothing in the file is a JSON object.'),
  })
  expect(failedFilePreview.lines.slice(0, 2)).toEqual(['a;b', '1;x'])
})

test('a sheet that is not there gives the names of those that are', async () => {
  const { content } = WORKBOOK_FILES.find(({ refused }) => refused === undefined) ?? {}
  const bytes = typeof content === 'function' ? await content() : Buffer.from(content as string)
  const preview = await previewFile(bufferSource(bytes), { given: { sheet: 'Nowhere' } })
  expect(preview.problem).toMatch(/no sheet/)
  expect(preview.sheets.length).toBeGreaterThan(0)
})

test('what is no table has neither rows nor lines', async () => {
  const preview = await previewFile(bufferSource(Buffer.from('%PDF-1.7\0\u0001\u0002\u0003\u0004\u0005\u0006')), {})
  expect(preview).toMatchObject({ profile: undefined, lines: [] })
  expect(preview.problem).toMatch(/PDF/)
})
