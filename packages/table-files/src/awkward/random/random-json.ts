import { gzipSync } from 'node:zlib'
import { NASTY, type Random, WORDS, createRandom, pad } from './random-values.ts'
import type { TypedCell, TypedFile } from './typed-cells.ts'

interface JsonValue {
  readonly json: string | undefined
  readonly meant: TypedCell | null
}
type MakeValue = () => JsonValue

const createNumber = (json: string): JsonValue => ({ json, meant: { kind: 'number', text: json } })
const createText = (value: string): JsonValue => ({ json: JSON.stringify(value), meant: { kind: 'text', text: value } })
const createNested = (value: unknown): JsonValue => {
  const json = JSON.stringify(value)
  return { json, meant: { kind: 'json', text: json } }
}
const pickDigits = (random: Random, length: number) => Array.from({ length }, () => random.whole(0, 9)).join('')

const VALUES: readonly ((random: Random) => MakeValue)[] = [
  (random) => () => createNumber(String(random.whole(-1000, 10 ** 9))),
  (random) => () => createNumber(`${random.whole(1, 9)}${pickDigits(random, random.whole(15, 22))}`),
  (random) => () => createNumber(`${random.whole(0, 9999)}.${pickDigits(random, random.whole(1, 4))}`),
  (random) => () => createNumber(`${random.whole(1, 9)}.${random.whole(0, 99)}e${random.whole(-20, 20)}`),
  (random) => () => createText(random.pick(WORDS)),
  (random) => () => createText(random.pick(NASTY)),
  (random) => () => createText(pickDigits(random, random.whole(1, 12))),
  (random) => () => createText(`${random.whole(0, 999)},${pickDigits(random, 2)}`),
  (random) => () => createText(`${random.whole(1990, 2030)}-${pad(random.whole(1, 12))}-${pad(random.whole(1, 28))}`),
  (random) => () => {
    const json = random.pick(['true', 'false'])
    return { json, meant: { kind: 'boolean', text: json } }
  },
  (random) => () => createNested({ n: random.whole(0, 99), t: random.pick(NASTY) }),
  (random) => () => createNested(Array.from({ length: random.whole(0, 3) }, () => random.pick([1, 'a', null, true]))),
  (random) => () => (random.chance(0.6) ? createNumber(String(random.whole(0, 5000))) : createText(random.pick(WORDS))),
  (random) => () => (random.chance(0.6) ? createNested({ a: 1 }) : createText(random.pick(WORDS))),
]

const FORMS: readonly ((objects: readonly string[]) => string)[] = [
  (objects) => `${objects.join('\n')}\n`,
  (objects) => objects.join('\r\n'),
  (objects) => objects.join('\n\n'),
  (objects) => objects.join(''),
  (objects) => `[${objects.join(',')}]`,
  (objects) => `[\n  ${objects.join(',\n  ')}\n]\n`,
  (objects) => `{"total": ${objects.length}, "data": [${objects.join(', ')}], "next": null}`,
]
const NAMES = ['id', 'first name', 'größe', 'a.b', 'constructor', 'constructor"quoted"', 'value\\', '[x]', '{y}']

export function createJson(seed: number): TypedFile {
  const random = createRandom(seed)
  const width = random.pick([1, 2, 3, 5, 8])
  const makers = Array.from({ length: width }, () => random.pick(VALUES)(random))
  const headers = makers.map((_, at) => (random.chance(0.3) ? `${random.pick(NAMES)} ${at}` : `field_${at}`))
  const gaps = makers.map(() => (random.chance(0.3) ? 0.2 : 0))
  const rows = Array.from({ length: random.pick([1, 2, 3, 20, 60]) }, (_, line) =>
    makers.map((make, at): JsonValue => {
      const value = make()
      if (line === 0 || !random.chance(gaps[at] ?? 0)) return value
      return { json: random.pick(['null', undefined]), meant: null }
    }),
  )
  const isSpaced = random.chance(0.3)
  const objects = rows.map((row) => {
    const fields = row.flatMap(({ json }, at) =>
      json === undefined ? [] : [`${JSON.stringify(headers[at])}${isSpaced ? ' : ' : ':'}${json}`],
    )
    return isSpaced ? `{\n  ${fields.join(',\n  ')}\n}` : `{${fields.join(',')}}`
  })
  const form = random.whole(0, FORMS.length - 1)
  const content = (random.chance(0.1) ? '\ufeff' : '') + (FORMS[form]?.(objects) ?? '')
  const isPacked = random.chance(0.1)
  const bytes = Buffer.from(content)
  return {
    bytes: isPacked ? gzipSync(bytes) : bytes,
    fileName: isPacked ? 'file.json.gz' : random.pick(['file.json', 'file.jsonl', 'file.txt']),
    about: JSON.stringify({ seed, form, isSpaced, isPacked }),
    headers,
    hasHeader: true,
    rows: rows.map((row) => row.map(({ meant }) => meant)),
  }
}
