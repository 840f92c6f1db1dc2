import { describe, expect, test } from 'vitest'
import { FileFault } from '../read/byte-source.ts'
import { AWKWARD_FILES } from './all-files.ts'
import { type AwkwardFile, loadCells } from './load-cells.ts'

const loadedFiles = new Map<AwkwardFile, ReturnType<typeof loadCells>>()
function loadOnce(file: AwkwardFile): ReturnType<typeof loadCells> {
  const loaded = loadedFiles.get(file) ?? loadCells(file)
  loadedFiles.set(file, loaded)
  return loaded
}

async function expectFile(file: AwkwardFile): Promise<void> {
  if (file.refused) {
    const fault = await loadOnce(file).catch((error: unknown) => error)
    expect(fault).toBeInstanceOf(FileFault)
    return expect((fault as Error).message).toMatch(file.refused)
  }
  const { profile, columns, rows, rejected } = await loadOnce(file)
  if (file.columns) expect(columns).toEqual(file.columns)
  if (file.rows) expect(rows).toEqual(file.rows)
  expect(rejected).toEqual(file.rejected ?? [])
  expect(profile.rows).toBe(rows.length + rejected.length)
  if (file.warning) expect(profile.warnings.join('\n')).toMatch(file.warning)
  if (file.isQuiet) expect(profile.warnings).toEqual([])
}

describe.each(AWKWARD_FILES)('$name', (file) => {
  test('is read as it was written', async () => await expectFile(file))
})

test.each(AWKWARD_FILES.filter(({ refused }) => refused === undefined))(
  'another reading of “$name” is another one',
  async (file) => {
    const { profile } = await loadOnce(file)
    for (const { label, dialect } of profile.second_readings ?? [])
      expect({ ...profile.dialect, ...dialect }, label).not.toEqual(profile.dialect)
  },
)

test('the set is broad', () => expect(AWKWARD_FILES.length).toBeGreaterThanOrEqual(150))
