import type { ColumnType } from '@trellis/contract/explorer/column-types'
import { COLUMN_TYPES } from '@trellis/contract/explorer/column-types'

export type TypeRelation = 'same' | 'wider' | 'narrower' | 'other'

/** Lossless conversions that keep the text form. */
const WIDENINGS: readonly (readonly [string, string])[] = [
  ['smallint', 'integer'],
  ['smallint', 'bigint'],
  ['smallint', 'numeric'],
  ['smallint', 'double precision'],
  ['integer', 'bigint'],
  ['integer', 'numeric'],
  ['integer', 'double precision'],
  ['bigint', 'numeric'],
  ['real', 'double precision'],
  ['character varying', 'text'],
  ['character', 'text'],
  ['date', 'timestamp without time zone'],
]

export function typeRelation(tableType: string, wanted: ColumnType): TypeRelation {
  const { name: from, hasLimit } = readType(tableType)
  const { name: to } = readType(COLUMN_TYPES[wanted].postgres)
  if (from === to) return hasLimit ? 'wider' : 'same'
  const isPair = (a: string, b: string) => WIDENINGS.some(([one, other]) => one === a && other === b)
  if (isPair(from, to)) return 'wider'
  return isPair(to, from) ? 'narrower' : 'other'
}

const SHORT: Readonly<Record<string, string>> = {
  int2: 'smallint',
  int4: 'integer',
  int: 'integer',
  int8: 'bigint',
  float4: 'real',
  float8: 'double precision',
  decimal: 'numeric',
  varchar: 'character varying',
  bpchar: 'character',
  char: 'character',
  bool: 'boolean',
  timestamp: 'timestamp without time zone',
  timestamptz: 'timestamp with time zone',
  time: 'time without time zone',
  timetz: 'time with time zone',
}

/** A length or precision limits the type. */
function readType(text: string): { name: string; hasLimit: boolean } {
  const bare = text
    .toLowerCase()
    .replace(/\([^)]*\)/, '')
    .replace(/\s+/g, ' ')
    .trim()
  return { name: SHORT[bare] ?? bare, hasLimit: text.includes('(') }
}
