import { expect, test } from 'vitest'
import { findPrivateNames } from './vocabulary.ts'

const of = 'Of'
const most = 'MOST'
const known = 'Known'
const longest = 'LONGEST'
const asked = 'Asked'
const place = 'Place'
const words = 'Words'
const doubt = 'doubt'
const one = 'one'

test.each([
  [`export const name${of} = (row: Row) => row.name`, `name${of}`],
  [`async function* pages${of}(link: Link) {`, `pages${of}`],
  [`function sort(rows: Row[], value${of}Row: Get, key${of}: Get) {`, `key${of}`],
  [`interface Tree {\n  readonly tables${of}?: Get\n}`, `tables${of}`],
  [`const ${most} = 3`, most],
  [`export const ${most}_ROWS = 3`, `${most}_ROWS`],
  [`const ${longest}_WAIT_MS = 3`, `${longest}_WAIT_MS`],
  [`export interface ${known}Table {`, `${known}Table`],
  [`type Load${asked} = string`, `Load${asked}`],
  [`interface Table${place} {`, `Table${place}`],
  [`function trigger${words}(form: Form): string {`, `trigger${words}`],
  [`function ${doubt}Rates(reader: Reader): void {`, `${doubt}Rates`],
  [`rows.map((${one}) => row)`, one],
])('%s', (text, name) => {
  const found = findPrivateNames(['a.ts'], () => text)
  expect(found).toEqual([expect.stringMatching(new RegExp(`^a\\.ts:\\d+: ${name}: `))])
})

test('a folder is called after what is inside', () => {
  expect(findPrivateNames(['apps/web/src/door/Page.tsx', 'apps/web/src/outdoor/Page.tsx'], () => '')).toEqual([
    'apps/web/src/door/Page.tsx: Say what is inside: auth/.',
  ])
})

test('names of libraries, of JSON Schema and plain names are left alone', () => {
  const text = [
    'const at = text.indexOf(sign)',
    'const schema = { anyOf: [one], oneOf: [] }',
    'const MAX_ROWS = 3',
    'const isKnownZone = (zone: string) => zones.has(zone)',
    'type ScopeOf<P> = P',
    'function toText(value: Value): string {',
    'const listWords = (text: string) => []',
    'const statusWords = STATUS[status]',
    'interface Place {',
  ].join('\n')
  expect(findPrivateNames(['a.ts', 'b.md'], () => text)).toEqual([])
})

test('the line is told', () => {
  expect(findPrivateNames(['a.ts'], () => `one\n\nconst row${of} = 1`)).toEqual([expect.stringMatching(/^a\.ts:3: /)])
})
