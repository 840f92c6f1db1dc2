import { describe, expect, test } from 'vitest'
import { FileFault } from '../read/byte-source.ts'
import { type AwkwardFile, loadCells } from './load-cells.ts'
import { NUMBER_FILES } from './number-files.ts'

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

describe.each(NUMBER_FILES)('$name', (file) => {
  test('keeps every value', async () => await expectFile(file))
})
