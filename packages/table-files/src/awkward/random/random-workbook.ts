import { type Cell, STYLE, writeWorkbook } from '../write-workbook.ts'
import { NASTY, type Random, WORDS, createRandom, pad } from './random-values.ts'
import type { TypedCell, TypedFile } from './typed-cells.ts'

interface SheetCell {
  readonly cell: Cell
  readonly meant: TypedCell | null
}
type MakeCell = () => SheetCell

const DAY_SECONDS = 86_400
const toIso = (serial: number) => new Date(Math.round((serial - 25_569) * DAY_SECONDS) * 1000).toISOString()
const toClock = (seconds: number) =>
  `${pad(Math.floor(seconds / 3600))}:${pad(Math.floor((seconds % 3600) / 60))}:${pad(seconds % 60)}`

const createText = (value: string): SheetCell => ({ cell: value, meant: { kind: 'text', text: value } })
const createNumber = (value: number, style?: number): SheetCell => ({
  cell: style === undefined ? value : { n: value, style },
  meant: { kind: 'number', text: String(value) },
})
const createTimestamp = (n: number, style: number, shown: string): SheetCell => ({
  cell: { n, style },
  meant: { kind: 'moment', text: shown },
})

const pickDigits = (random: Random, length: number) => Array.from({ length }, () => random.whole(0, 9)).join('')

const COLUMNS: readonly ((random: Random) => MakeCell)[] = [
  (random) => () => createNumber(random.whole(-1000, 10 ** 9)),
  (random) => () => createNumber(random.whole(0, 10 ** 7) / 100, random.pick([STYLE.two, undefined])),
  (random) => () => createNumber(random.whole(1, 999) / 1e9),
  (random) => () => createNumber(random.whole(1, 999) * 1e15),
  (random) => () => createNumber(random.whole(0, 40), STYLE.days),
  (random) => () => {
    const serial = random.whole(61, 50_000)
    return createTimestamp(serial, STYLE.date, toIso(serial).slice(0, 10))
  },
  (random) => () => {
    const serial = random.whole(61, 50_000) + random.whole(1, DAY_SECONDS - 1) / DAY_SECONDS
    return createTimestamp(serial, STYLE.moment, toIso(serial).slice(0, 19).replace('T', ' '))
  },
  (random) => () => {
    const seconds = random.whole(0, 50 * 3600)
    return createTimestamp(seconds / DAY_SECONDS, STYLE.hours, toClock(seconds))
  },
  (random) => () => {
    const seconds = random.whole(0, DAY_SECONDS - 1)
    return createTimestamp(seconds / DAY_SECONDS, STYLE.clock, toClock(seconds))
  },
  (random) => () => createText(random.pick(WORDS)),
  (random) => () => createText(random.pick(NASTY)),
  (random) => () => createText(pickDigits(random, random.whole(3, 12))),
  (random) => () => createText(`${random.whole(1, 28)}.${random.whole(1, 12)}.${random.whole(1990, 2030)}`),
  (random) => () => createText(`${random.whole(0, 999)},${pickDigits(random, 2)}`),
  (random) => () => {
    const is = random.chance(0.5)
    return { cell: is, meant: { kind: 'boolean', text: String(is) } }
  },
  (random) => () => (random.chance(0.6) ? createNumber(random.whole(0, 5000)) : createText(random.pick(WORDS))),
  (random) => () => (random.chance(0.8) ? createNumber(random.whole(0, 99)) : { cell: { error: '#N/A' }, meant: null }),
]

const NOTHING: SheetCell = { cell: null, meant: null }

/** May start below a title and after an empty sheet. */
export async function createWorkbook(seed: number): Promise<TypedFile> {
  const random = createRandom(seed)
  const width = random.pick([1, 2, 3, 4, 6, 9])
  const makers = Array.from({ length: width }, () => random.pick(COLUMNS)(random))
  const gaps = makers.map(() => (random.chance(0.3) ? 0.2 : 0))
  const rows = Array.from({ length: random.pick([2, 3, 5, 20, 60]) }, () =>
    makers.map((make, at) => {
      const cell = make()
      return random.chance(gaps[at] ?? 0) ? NOTHING : cell
    }),
  )
  const hasHeader = random.chance(0.9)
  const headers = makers.map((_, at) => random.pick([`col ${at + 1}`, `Amount ${at + 1} (EUR)`, `Name_${at + 1}`]))
  const isTitled = width > 2 && hasHeader && random.chance(0.2)
  const lines: Cell[][] = [
    ...(isTitled ? [[random.pick(['Report of May', 'Umsatz 2024'])], []] : []),
    ...(hasHeader ? [headers] : []),
    ...rows.map((row) => row.map(({ cell }) => cell)),
  ]
  const isSecond = random.chance(0.1)
  return {
    bytes: await writeWorkbook({ ...(isSecond && { Cover: [] }), Data: lines }),
    fileName: 'file.xlsx',
    about: JSON.stringify({ seed, width, hasHeader, isTitled }),
    headers,
    hasHeader,
    rows: rows.map((row) => row.map(({ meant }) => meant)),
  }
}
