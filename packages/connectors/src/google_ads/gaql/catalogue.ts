import type { ColumnType } from '@trellis/contract/explorer/column-types'
import type { MetricGroup, SegmentGroup } from './catalogue-metrics.ts'
import { METRIC_GROUPS, SEGMENT_GROUPS } from './catalogue-metrics.ts'
import type { ResourceText } from './catalogue-resources.ts'
import { RESOURCES } from './catalogue-resources.ts'

export type GaqlType = 'INT64' | 'DOUBLE' | 'STRING' | 'BOOLEAN' | 'DATE' | 'ENUM' | 'RESOURCE_NAME' | 'MESSAGE'

export interface CatalogueField {
  readonly name: string
  readonly category: 'attribute' | 'segment' | 'metric'
  readonly type: GaqlType
  readonly isRepeated: boolean
  readonly isFilterable: boolean
  readonly isSortable: boolean
  readonly values: readonly string[]
  readonly group: string | null
}

export interface CatalogueResource {
  readonly name: string
  readonly along: readonly string[]
  readonly attributes: readonly string[]
  readonly segments: readonly string[]
  readonly metrics: readonly string[]
}

const TYPES: Record<string, GaqlType> = {
  i: 'INT64',
  d: 'DOUBLE',
  s: 'STRING',
  b: 'BOOLEAN',
  date: 'DATE',
  e: 'ENUM',
  r: 'RESOURCE_NAME',
  m: 'MESSAGE',
}

function parseFields(prefix: string, text: string, kind: Pick<CatalogueField, 'category' | 'group'>): CatalogueField[] {
  return text
    .split(/\s+/)
    .filter(Boolean)
    .map((word) => {
      const [, name = '', letter = '', values, many] = /^([\w.]+):([a-z]+)(?:\(([\w|]+)\))?(\[\])?$/.exec(word) ?? []
      const type = TYPES[letter]
      if (!type) throw new Error(`The catalogue of Google Ads holds the unreadable field ${word}`)
      const isRepeated = many !== undefined
      const isPlain = type !== 'MESSAGE'
      return {
        name: `${prefix}.${name}`,
        ...kind,
        type,
        isRepeated,
        isFilterable: isPlain,
        isSortable: isPlain && !isRepeated,
        values: values?.split('|') ?? [],
      }
    })
}

const metricFields = Object.entries(METRIC_GROUPS).flatMap(([group, text]) =>
  parseFields('metrics', text, { category: 'metric', group }),
)
const segmentFields = Object.entries(SEGMENT_GROUPS).flatMap(([group, text]) =>
  parseFields('segments', text, { category: 'segment', group }),
)
const attributeFields = Object.entries(RESOURCES).flatMap(([name, { fields }]) =>
  parseFields(name, `resource_name:r ${fields}`, { category: 'attribute', group: null }),
)
const FIELDS = new Map([...attributeFields, ...segmentFields, ...metricFields].map((field) => [field.name, field]))

const listNames = (fields: readonly CatalogueField[], groups: readonly (MetricGroup | SegmentGroup)[] = []) =>
  fields.filter(({ group }) => groups.some((other) => other === group)).map(({ name }) => name)

function toResource(name: string, { along, metrics, segments }: ResourceText): CatalogueResource {
  const others = along?.split(' ') ?? []
  const attributes = attributeFields
    .map((field) => field.name)
    .filter((field) => [name, ...others].includes(field.slice(0, field.indexOf('.'))))
  return {
    name,
    along: others,
    attributes,
    segments: listNames(segmentFields, segments),
    metrics: listNames(metricFields, metrics),
  }
}

const CATALOGUE = new Map(Object.entries(RESOURCES).map(([name, text]) => [name, toResource(name, text)]))

export const resourceNames: readonly string[] = [...CATALOGUE.keys()]
export const findResource = (name: string): CatalogueResource | undefined => CATALOGUE.get(name)
export const findField = (name: string): CatalogueField | undefined => FIELDS.get(name)

export function listSelectableFields({ attributes, segments, metrics }: CatalogueResource): string[] {
  return [...attributes, ...segments, ...metrics]
}

const COLUMNS: Record<GaqlType, ColumnType> = {
  INT64: 'integer',
  DOUBLE: 'float',
  STRING: 'text',
  BOOLEAN: 'boolean',
  DATE: 'date',
  ENUM: 'text',
  RESOURCE_NAME: 'text',
  MESSAGE: 'json',
}

export function toColumnType({ type, isRepeated, name }: CatalogueField): ColumnType {
  if (isRepeated) return 'json'
  return name.endsWith('date_time') ? 'timestamp' : COLUMNS[type]
}

/** The likeliest intended name: a few letters differ, or the last part is the same. */
export function findNearestName(wrong: string, names: readonly string[]): string | undefined {
  if (wrong.length > 100) return undefined
  const lower = wrong.toLowerCase()
  const last = lower.slice(lower.lastIndexOf('.') + 1)
  let best: { name: string; distance: number } | undefined
  for (const name of names) {
    const distance = countDifferentLetters(lower, name) - (name.endsWith(`.${last}`) ? 2 : 0)
    if (!best || distance < best.distance) best = { name, distance }
  }
  return best && best.distance <= Math.max(2, Math.floor(lower.length / 3)) ? best.name : undefined
}

function countDifferentLetters(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i]
    for (let j = 1; j <= b.length; j += 1) {
      const swap = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      next.push(Math.min(swap, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[b.length] ?? 0
}
