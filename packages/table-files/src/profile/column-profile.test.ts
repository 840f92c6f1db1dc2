import { expect, test } from 'vitest'
import { bufferSource } from '../read/byte-source.ts'
import { profileFile } from './profile-file.ts'

async function likelyTypes(header: string, rows: readonly string[]) {
  const profile = await profileFile(bufferSource(Buffer.from(`${[header, ...rows].join('\n')}\n`)))
  return { types: profile.columns.map((column) => column.likely_type), profile }
}

const lines = (count: number, make: (n: number) => string) => Array.from({ length: count }, (_, at) => make(at + 1))
const two = (n: number) => String(n).padStart(2, '0')

test('a few wrong values make neither dates nor numbers text, wherever they stand', async () => {
  for (const at of [0, 60, 399]) {
    const rows = lines(400, (n) => `${n};${n * 1000 + 0.5};${two((n % 28) + 1)}.${two((n % 12) + 1)}.2024`)
    rows[at] = 'wrong;unknown;31.02.2024'
    const { types, profile } = await likelyTypes('id;amount;day', rows)
    expect(types).toEqual(['integer', 'decimal', 'date'])
    expect(profile.dialect.date_order).toBe('dmy')
    expect(profile.warnings).toContain(
      'One value of “day”, such as 31.02.2024, does not fit what the others are. Choose text to keep every value as it is.',
    )
    expect(profile.columns.map((column) => column.fitting_types)).toEqual([['text'], ['text'], ['text']])
  }
})

test('codes stay text: a number that begins with a zero, letters among digits', async () => {
  const rows = lines(400, (n) => `${10_000 + n},${n}`)
  rows[200] = '01067,A12'
  expect((await likelyTypes('zip,part', rows)).types).toEqual(['text', 'text'])
})

test('too many wrong values are text, also when they are all the same', async () => {
  const rows = lines(400, (n) => `${n},${n <= 200 ? 'none' : n}`)
  expect((await likelyTypes('id,size', rows)).types).toEqual(['integer', 'text'])
  expect((await likelyTypes('id,size', ['1,2', '2,x', '3,4'])).types).toEqual(['integer', 'text'])
})

test('words that could mean yes or no are not taken for it because most are', async () => {
  const rows = lines(400, (n) => `${n},${n === 300 ? 'SE' : 'NO'}`)
  expect((await likelyTypes('id,country', rows)).types).toEqual(['integer', 'text'])
})

test('a number with half a million zeros takes no longer than it is long', async () => {
  const zeros = '0'.repeat(500_000)
  const { types } = await likelyTypes('id,size', [`1,0.${zeros}1`, `2,1${zeros}.5`, `3,1.5${zeros}`])
  expect(types[0]).toBe('integer')
})
