import { describe, expect, test } from 'vitest'
import { createJson } from './random-json.ts'
import { createParquet } from './random-parquet.ts'
import { createWorkbook } from './random-workbook.ts'
import { type TypedFile, findTypedFault } from './typed-cells.ts'

type CreateFile = (seed: number) => TypedFile | Promise<TypedFile>

/** Small batches for Parquet, whose child process is slow to start. */
const FORMATS = [
  { format: 'workbooks', seeds: 200, batch: 100, create: createWorkbook as CreateFile },
  { format: 'JSON files', seeds: 200, batch: 100, create: createJson as CreateFile },
  { format: 'Parquet files', seeds: 30, batch: 5, create: createParquet as CreateFile },
]
const BATCHES = FORMATS.flatMap(({ seeds, batch, ...rest }) =>
  Array.from({ length: seeds / batch }, (_, at) => ({ ...rest, from: at * batch, to: (at + 1) * batch })),
)

describe.each(BATCHES)('random $format, seeds from $from', ({ from, to, create }) => {
  test('come back as they were written, or a warning says what is not', async () => {
    const faults: string[] = []
    for (let seed = from; seed < to; seed += 1) {
      const file = await create(seed)
      const fault = await findTypedFault(file)
      if (fault !== undefined) faults.push(`${file.about}: ${fault.slice(0, 500)}`)
    }
    expect(faults).toEqual([])
  }, 120_000)
})
