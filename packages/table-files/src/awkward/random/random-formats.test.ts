import { describe, expect, test } from 'vitest'
import { createJson } from './random-json.ts'
import { createParquet } from './random-parquet.ts'
import { createWorkbook } from './random-workbook.ts'
import { type TypedFile, findTypedFault } from './typed-cells.ts'

type CreateFile = (seed: number) => TypedFile | Promise<TypedFile>

/** Every seed is another table; more of them only take longer. Parquet is read by a process of its own. */
const FORMATS: readonly (readonly [string, number, CreateFile])[] = [
  ['workbooks', 200, createWorkbook],
  ['JSON files', 200, createJson],
  ['Parquet files', 30, createParquet],
]

describe.each(FORMATS)('random %s', (_name, seeds, create) => {
  test('come back as they were written, or a warning says what is not', async () => {
    const faults: string[] = []
    for (let seed = 0; seed < seeds; seed += 1) {
      const file = await create(seed)
      const fault = await findTypedFault(file)
      if (fault !== undefined) faults.push(`${file.about}: ${fault.slice(0, 500)}`)
    }
    expect(faults).toEqual([])
  }, 120_000)
})
