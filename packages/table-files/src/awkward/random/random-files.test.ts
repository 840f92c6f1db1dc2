import { expect, test } from 'vitest'
import { findSilentFault } from './compare-cells.ts'
import { createTextFile } from './write-random.ts'

const SEEDS = 1200

test('random tables in random forms come back as they were written, or a warning says what is not', async () => {
  const faults: string[] = []
  let files = 0
  for (let seed = 0; seed < SEEDS; seed += 1) {
    const file = createTextFile(seed)
    if (!file) continue
    files += 1
    const fault = await findSilentFault(file)
    if (fault !== undefined) faults.push(`${file.about}: ${fault.slice(0, 500)}`)
  }
  expect(faults).toEqual([])
  expect(files).toBeGreaterThan(SEEDS * 0.8)
}, 120_000)
