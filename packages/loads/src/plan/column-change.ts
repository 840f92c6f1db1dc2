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

export function compareTypes(tableType: string, wantedType: ColumnType): TypeRelation {
  const { name: from, hasLimit } = parseType(tableType)
  const { name: to } = parseType(COLUMN_TYPES[wantedType].postgres)
  if (from === to) return hasLimit ? 'wider' : 'same'
  const isWidening = (a: string, b: string) => WIDENINGS.some(([narrowType, other]) => narrowType === a && other === b)
  if (isWidening(from, to)) return 'wider'
  return isWidening(to, from) ? 'narrower' : 'other'
}

const TYPE_ALIASES: Readonly<Record<string, string>> = {
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
function parseType(text: string): { name: string; hasLimit: boolean } {
  const typeName = text
    .toLowerCase()
    .replace(/\([^)]*\)/, '')
    .replace(/\s+/g, ' ')
    .trim()
  return { name: TYPE_ALIASES[typeName] ?? typeName, hasLimit: text.includes('(') }
}
