/** The canonical form in which values are hashed: Postgres' text, integers as such. */
export type KeyKind = 'integer' | 'text' | 'uuid' | 'date' | 'timestamp' | 'timestamptz' | 'numeric' | 'boolean'

export interface KeyColumn {
  readonly name: string
  readonly kind: KeyKind
  readonly maxCharacters: number
}

const KINDS_BY_TYPE: Record<string, KeyKind> = {
  smallint: 'integer',
  integer: 'integer',
  bigint: 'integer',
  text: 'text',
  'character varying': 'text',
  uuid: 'uuid',
  date: 'date',
  timestamp: 'timestamp',
  'timestamp without time zone': 'timestamp',
  timestamptz: 'timestamptz',
  'timestamp with time zone': 'timestamptz',
  numeric: 'numeric',
  boolean: 'boolean',
}

/** Undefined for types with several text forms or rounding. */
export function toKeyColumn(name: string, postgres: string): KeyColumn | undefined {
  const [, limit] = /^character varying\((\d+)\)$/.exec(postgres) ?? []
  const kind = limit === undefined ? KINDS_BY_TYPE[postgres] : 'text'
  return kind && { name, kind, maxCharacters: limit === undefined ? Infinity : Number(limit) }
}

const MOMENT =
  /^(\d{4}-\d\d-\d\d)(?:[T ]([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d)(?:\.(\d{1,6}))?)?)? ?(Z|[+-]\d\d(?::?\d\d)?)?$/i
const NUMERIC = /^([+-]?)0*(\d*)(?:\.(\d*))?$/
const UUID = /^[0-9a-f]{32}$/

export const CANONICAL_FORMS: Record<Exclude<KeyKind, 'integer' | 'text'>, (text: string) => string | undefined> = {
  uuid: (text) => {
    const digits = text.trim().replaceAll(/[{}-]/g, '').toLowerCase()
    if (!UUID.test(digits)) return undefined
    return [0, 8, 12, 16, 20].map((from, at, offsets) => digits.slice(from, offsets[at + 1])).join('-')
  },
  date: (text) => MOMENT.exec(text.trim())?.[1],
  timestamp: (text) => normalizeTimestamp(text, false),
  timestamptz: (text) => normalizeTimestamp(text, true),
  numeric: (text) => {
    const [, sign, wholePart = '', part = ''] = NUMERIC.exec(text.trim()) ?? []
    if (sign === undefined || !/\d/.test(text)) return undefined
    const digits = `${wholePart === '' ? '0' : wholePart}${part === '' ? '' : `.${part}`}`
    return sign === '-' && /[1-9]/.test(digits) ? `-${digits}` : digits
  },
  boolean: (text) => {
    const word = text.trim().toLowerCase()
    if (word === '' || word === 'o') return undefined
    if (['true', 'yes', 'on', '1'].some((literal) => literal.startsWith(word))) return 'true'
    return ['false', 'no', 'off', '0'].some((literal) => literal.startsWith(word)) ? 'false' : undefined
  },
}

function normalizeTimestamp(text: string, hasZone: boolean): string | undefined {
  const [match, day, hour = '00', minute = '00', second = '00', part = '', zone = 'Z'] = MOMENT.exec(text.trim()) ?? []
  if (match === undefined || day === undefined) return undefined
  const fraction = part.replace(/0+$/, '')
  const fractionSuffix = fraction === '' ? '' : `.${fraction}`
  const isUtc = /^(?:z|[+-]00(?::?00)?)$/i.test(zone)
  if (!hasZone || isUtc) return `${day} ${hour}:${minute}:${second}${fractionSuffix}`
  const offset = zone.replace(':', '').padEnd(5, '0')
  const moment = new Date(`${day}T${hour}:${minute}:${second}${offset.slice(0, 3)}:${offset.slice(3)}`)
  if (Number.isNaN(moment.getTime())) return undefined
  const isoText = moment.toISOString()
  return isoText.length === 24 ? `${isoText.slice(0, 10)} ${isoText.slice(11, 19)}${fractionSuffix}` : undefined
}

export function formatAsSql(kind: KeyKind, value: string): string {
  if (kind === 'integer') return `${value}::pg_catalog.int8`
  const text = kind === 'timestamptz' ? `(${value} at time zone 'UTC')::pg_catalog.text` : `${value}::pg_catalog.text`
  return `${text} collate "C"`
}
