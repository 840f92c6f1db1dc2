import { describe, expect, test } from 'vitest'
import { FileFault } from '../read/byte-source.ts'
import { type AwkwardFile, loadCells } from './load-cells.ts'
import { DATE_FILES } from './date-files.ts'
import { JSON_FILES } from './json-files.ts'
import { NUMBER_FILES } from './number-files.ts'
import { PARQUET_FILES } from './parquet-files.ts'
import { REFUSED_FILES } from './refused-files.ts'
import { TEXT_FILES } from './text-files.ts'
import { WORKBOOK_FILES } from './workbook-files.ts'

async function expectFile(file: AwkwardFile): Promise<void> {
  if (file.refused) {
    const fault = await loadCells(file).catch((error: unknown) => error)
    expect(fault).toBeInstanceOf(FileFault)
    return expect((fault as Error).message).toMatch(file.refused)
  }
  const { profile, columns, rows, rejected } = await loadCells(file)
  if (file.columns) expect(columns).toEqual(file.columns)
  if (file.rows) expect(rows).toEqual(file.rows)
  expect(rejected).toEqual(file.rejected ?? [])
  expect(profile.rows).toBe(rows.length + rejected.length)
  if (file.warning) expect(profile.warnings.join('\n')).toMatch(file.warning)
  if (file.isQuiet) expect(profile.warnings).toEqual([])
}

const FILES = [
  ...NUMBER_FILES,
  ...DATE_FILES,
  ...TEXT_FILES,
  ...REFUSED_FILES,
  ...JSON_FILES,
  ...WORKBOOK_FILES,
  ...PARQUET_FILES,
]

describe.each(FILES)('$name', (file) => {
  test('is read as it was written', async () => await expectFile(file))
})

test('the set is broad', () => expect(FILES.length).toBeGreaterThanOrEqual(150))
