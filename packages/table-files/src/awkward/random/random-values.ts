export function createRandom(seed: number) {
  let state = (seed * 2_654_435_761 + 1) >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  return {
    chance: (share: number) => next() < share,
    whole: (from: number, to: number) => from + Math.floor(next() * (to - from + 1)),
    pick: <T>(values: readonly T[]): T => values[Math.floor(next() * values.length)] as T,
  }
}
export type Random = ReturnType<typeof createRandom>

export interface RandomValue {
  readonly written: string
  readonly meant: string | null
  readonly kind: 'text' | 'number' | 'date' | 'timestamp' | 'boolean'
}

export const pad = (value: number, length = 2) => String(value).padStart(length, '0')
export const WORDS = ['apple', 'Berlin', 'red car', 'x', 'Smith', 'on hold', 'A-12', 'see note', 'Q3', 'N']
const LETTERS: Readonly<Record<string, readonly string[]>> = {
  western: ['Müller', 'café', 'Ñandú', 'Åsa', 'garçon', 'Straße'],
  cyrillic: ['Москва', 'Иван Петров', 'Заказ', 'Улица Ленина', 'молоко'],
  polish: ['Łódź', 'Kraków', 'źródło', 'Święta', 'żółty'],
  japanese: ['東京です', 'さくら', 'カタカナ', '日本の会社', 'りんご'],
  chinese: ['北京市', '上海公司', '我们的订单', '中国银行', '苹果'],
  korean: ['서울', '주문 번호', '김철수', '대한민국', '사과'],
}
export type Script = keyof typeof LETTERS | 'ascii'

const groupDigits = (digits: string, sign: string) => digits.replaceAll(/\B(?=(\d{3})+$)/g, sign)

interface Style {
  readonly random: Random
  readonly script: Script
}
type MakeColumn = (style: Style) => () => RandomValue

const createText = (written: string): RandomValue => ({ written, meant: written, kind: 'text' })
const createNumber = (written: string, meant: string): RandomValue => ({ written, meant, kind: 'number' })

function amountColumn({ random }: Style): () => RandomValue {
  const [decimal, group] = random.pick([
    ['.', ''],
    ['.', ','],
    [',', ''],
    [',', '.'],
    [',', ' '],
    ['.', '’'],
    [',', '\u00a0'],
  ] as const)
  const before = random.pick(['', '', '', '$', '€ '])
  const after = before === '' ? random.pick(['', '', '', ' €']) : ''
  const places = random.pick([1, 2, 2, 3])
  return () => {
    const whole = String(random.whole(0, 10 ** random.whole(1, 7)))
    const part = Array.from({ length: places }, () => random.whole(0, 9)).join('')
    const sign = random.chance(0.1) ? '-' : ''
    return createNumber(
      `${sign}${before}${groupDigits(whole, group)}${decimal}${part}${after}`,
      `${sign}${whole}.${part}`,
    )
  }
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

function dateColumn({ random }: Style): () => RandomValue {
  const format = random.pick([
    (y: number, m: number, d: number) => `${y}-${pad(m)}-${pad(d)}`,
    (y: number, m: number, d: number) => `${pad(d)}.${pad(m)}.${y}`,
    (y: number, m: number, d: number) => `${m}/${d}/${y}`,
    (y: number, m: number, d: number) => `${pad(d)}/${pad(m)}/${y}`,
    (y: number, m: number, d: number) => `${y}/${pad(m)}/${pad(d)}`,
    (y: number, m: number, d: number) => `${d}-${MONTHS[m - 1]}-${y}`,
    (y: number, m: number, d: number) => `${MONTHS[m - 1]} ${d}, ${y}`,
    (y: number, m: number, d: number) => `${d}. ${MONTHS[m - 1]} ${y}`,
    (y: number, m: number, d: number) => `${y}${pad(m)}${pad(d)}`,
  ])
  const clock = random.pick([
    () => ['', ''],
    () => ['', ''],
    () => {
      const [h, m, s] = [random.whole(0, 23), random.whole(0, 59), random.whole(0, 59)]
      return [` ${pad(h)}:${pad(m)}:${pad(s)}`, ` ${pad(h)}:${pad(m)}:${pad(s)}`]
    },
    () => {
      const [h, m] = [random.whole(0, 23), random.whole(0, 59)]
      return [` ${h % 12 === 0 ? 12 : h % 12}:${pad(m)} ${h < 12 ? 'AM' : 'PM'}`, ` ${pad(h)}:${pad(m)}:00`]
    },
  ])
  return () => {
    const [y, m, d] = [random.whole(1971, 2035), random.whole(1, 12), random.whole(1, 28)]
    const [written = '', meant = ''] = clock()
    const kind = meant === '' ? 'date' : 'timestamp'
    return { written: format(y, m, d) + written, meant: `${y}-${pad(m)}-${pad(d)}${meant}`, kind }
  }
}

const BOOLEANS = [
  ['true', 'false'],
  ['TRUE', 'FALSE'],
  ['yes', 'no'],
  ['Y', 'N'],
  ['t', 'f'],
  ['on', 'off'],
  ['x', ''],
  ['ja', 'nein'],
] as const

function booleanColumn({ random }: Style): () => RandomValue {
  const [yes, no] = random.pick(BOOLEANS)
  return () => {
    const is = random.chance(0.5)
    const written = is ? yes : no
    return written === '' ? { ...createText(''), meant: null } : { written, meant: String(is), kind: 'boolean' }
  }
}

export const NASTY = [
  'He said "hi"',
  'a, b',
  'a;b',
  'a|b',
  'a\tb',
  'line one\nline two',
  "O'Neil",
  'C:\\new\\table',
  ' padded ',
  '#1 choice',
  '=1+1',
  '"',
  '""',
  "'",
  '\\',
  'a\\"b',
  '100%',
  '[1, 2]',
  '{"a": 1}',
  'null',
  'N/A',
  '-',
  'sep=',
  '12e4',
  '1_000',
  '+49 170 1234567',
  '∞',
]

const COLUMNS: readonly MakeColumn[] = [
  amountColumn,
  amountColumn,
  dateColumn,
  dateColumn,
  booleanColumn,
  ({ random }) => {
    const most = 10 ** random.whole(1, 9)
    return () => {
      const value = String(random.whole(0, most))
      return createNumber(value, value)
    }
  },
  ({ random }) => {
    let id = random.whole(1, 100_000)
    return () => {
      id += 1
      return createNumber(String(id), String(id))
    }
  },
  // Zip codes, phone and account numbers with leading zeros.
  ({ random }) => {
    const length = random.whole(4, 12)
    return () =>
      createText(
        Array.from({ length }, () => random.whole(0, 9))
          .join('')
          .replace(/^\d/, random.chance(0.3) ? '0' : '$&'),
      )
  },
  ({ random }) =>
    () =>
      createText(`+${random.whole(1, 99)} ${random.whole(100, 999)} ${random.whole(1_000_000, 9_999_999)}`),
  ({ random }) =>
    () =>
      createText(`0${random.whole(100, 999)}/${random.whole(10_000, 9_999_999)}`),
  ({ random }) =>
    () =>
      createText(`${random.whole(0, 99)}.${random.whole(0, 99)}%`),
  ({ random }) => {
    const isPlain = random.chance(0.5)
    return () => {
      const [digits, power] = [`${random.whole(1, 9)}.${random.whole(0, 99)}`, random.whole(-20, 20)]
      const written = `${digits}${random.pick(['e', 'E'])}${power >= 0 && !isPlain ? '+' : ''}${power}`
      return createNumber(written, written)
    }
  },
  ({ random }) =>
    () =>
      createText(`${random.whole(1, 9)}e${random.whole(1, 9)}`),
  ({ random }) =>
    () =>
      createText(`${random.whole(1, 30)}.${random.whole(0, 30)}.${random.whole(0, 99)}`),
  ({ random }) =>
    () =>
      createText(`${random.whole(1, 255)}.${random.whole(0, 255)}.${random.whole(0, 255)}.${random.whole(0, 255)}`),
  ({ random, script }) =>
    () =>
      createText(random.pick(LETTERS[script] ?? WORDS)),
  ({ random, script }) =>
    () =>
      createText(`${random.pick(LETTERS[script] ?? WORDS)} ${random.whole(1, 99)}`),
  ({ random }) =>
    () =>
      createText(random.pick(WORDS)),
  ({ random }) =>
    () =>
      createText(random.pick(NASTY)),
  ({ random }) =>
    () =>
      createText(random.chance(0.5) ? random.pick(WORDS) : String(random.whole(0, 5000))),
  ({ random }) =>
    () =>
      createText(`${random.pick(WORDS)} `.repeat(random.whole(1, 400)).trim()),
  ({ random }) =>
    () =>
      createText(`${pad(random.whole(0, 39))}:${pad(random.whole(0, 59))}`),
]

export interface RandomTable {
  readonly headers: readonly string[]
  readonly rows: readonly (readonly RandomValue[])[]
}

const EMPTY: RandomValue = { written: '', meant: null, kind: 'text' }

export function createTable(random: Random, script: Script): RandomTable {
  const width = random.pick([1, 2, 3, 3, 4, 5, 6, 8, 12])
  const height = random.pick([1, 2, 3, 5, 8, 20, 60])
  const makers = Array.from({ length: width }, () => random.pick(COLUMNS)({ random, script }))
  const gaps = makers.map(() => (width > 1 && random.chance(0.3) ? 0.2 : 0))
  const headers = makers.map((_, at) => toHeader(random, script, at))
  const rows = Array.from({ length: height }, () =>
    makers.map((make, at) => {
      const value = make()
      return random.chance(gaps[at] ?? 0) ? EMPTY : value
    }),
  )
  return { headers, rows }
}

function toHeader(random: Random, script: Script, at: number): string {
  if (random.chance(0.05)) return 'amount'
  if (random.chance(0.2)) return `${random.pick(LETTERS[script] ?? WORDS)} ${at + 1}`
  return random.pick([
    `col ${at + 1}`,
    `Field_${at + 1}`,
    `amount ${at + 1} (EUR)`,
    `name${at + 1}`,
    `Ort/Stadt ${at + 1}`,
  ])
}
