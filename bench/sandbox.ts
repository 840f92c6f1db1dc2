import { type Cell, type Columns, toColumns } from '@trellis/sandbox/columns'
import { openSandbox } from '@trellis/sandbox/sandbox'
import { type Figure, median, report } from './report.ts'

const BATCH = 20_000
const ROUNDS = 3
const readNumberFlag = (args: string[], name: string, otherwise: number) =>
  args.includes(name) ? Number(args[args.indexOf(name) + 1]) || otherwise : otherwise

type Work = (columns: Record<string, ArrayLike<Cell>>) => Record<string, ArrayLike<Cell>>

const WAYS: { what: string; names: string[]; code: string; work: Work }[] = [
  {
    what: 'numbers alone',
    names: ['price', 'quantity'],
    code: `export default ({ price, quantity }) => {
      const total = new Float64Array(price.length)
      for (let i = 0; i < total.length; i += 1) total[i] = price[i] * quantity[i]
      return { total }
    }`,
    work: ({ price, quantity }) => {
      const total = new Float64Array(price?.length ?? 0)
      for (let i = 0; i < total.length; i += 1) total[i] = Number(price?.[i]) * Number(quantity?.[i])
      return { total }
    },
  },
  {
    what: 'numbers and texts, four columns in and four out',
    names: ['id', 'name', 'price', 'quantity'],
    code: `export default ({ id, name, price, quantity }) => {
      const total = new Float64Array(id.length)
      for (let i = 0; i < total.length; i += 1) total[i] = price[i] * quantity[i]
      return { id, name: name.map((text) => text.toUpperCase()), label: total.map((n) => (n > 100 ? 'high' : 'low')), total }
    }`,
    work: ({ id, name, price, quantity }) => {
      const total = new Float64Array(id?.length ?? 0)
      for (let i = 0; i < total.length; i += 1) total[i] = Number(price?.[i]) * Number(quantity?.[i])
      const upper = Array.from(name ?? [], (text) => String(text).toUpperCase())
      return { id: id ?? [], name: upper, label: Array.from(total, (n) => (n > 100 ? 'high' : 'low')), total }
    },
  },
]

/** The same function on the same batches, in the sandbox and outside, in turn. */
export async function run(args: string[]): Promise<void> {
  const rows = readNumberFlag(args, '--rows', 1_000_000)
  const figures: Figure[] = []
  for (const { what, names, code, work } of WAYS) {
    const batch = makeBatch(names)
    const inside: number[] = []
    const outside: number[] = []
    for (let round = 0; round < ROUNDS; round += 1) {
      outside.push(await seconds(rows, async () => void work(asObject(batch))))
      const sandbox = await openSandbox({ code })
      inside.push(await seconds(rows, async () => void (await sandbox.run(batch))))
      await sandbox.close()
    }
    figures.push(
      { what: `${what}: in the sandbox`, value: rows / median(inside), unit: 'rows/s', peer: 'plain JavaScript' },
      { what: `${what}: plain JavaScript`, value: rows / median(outside), unit: 'rows/s' },
      { what: `${what}: how much longer`, value: median(inside) / median(outside), unit: 'times' },
    )
  }
  const startedAt = performance.now()
  await (await openSandbox({ code: 'export default () => ({})' })).close()
  figures.push({ what: 'from nothing to ready and gone', value: performance.now() - startedAt, unit: 'ms' })
  await report('sandbox', figures)
}

async function seconds(rows: number, once: () => Promise<void>): Promise<number> {
  const startedAt = performance.now()
  for (let done = 0; done < rows; done += BATCH) await once()
  return (performance.now() - startedAt) / 1000
}

function makeBatch(names: string[]): Columns {
  const all: Record<string, (row: number) => Cell> = {
    id: (row) => row,
    name: (row) => `customer ${row}`,
    price: (row) => (row % 997) / 7,
    quantity: (row) => (row % 9) + 1,
  }
  return toColumns(
    names,
    Array.from({ length: BATCH }, (_, row) => names.map((name) => all[name]?.(row) ?? null)),
  )
}

const asObject = ({ names, data }: Columns): Record<string, ArrayLike<Cell>> =>
  Object.fromEntries(names.map((name, at) => [name, data[at] ?? []]))
