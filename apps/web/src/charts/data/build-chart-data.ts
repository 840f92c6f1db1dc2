import { type ChartSpec, MAX_CHART_GROUPS } from '@trellis/contract/charts/charts.schemas'
import { type Accumulator, createAccumulator, parseNumber } from './aggregates.ts'
import { buildRawSeries } from './build-raw-series.ts'
import {
  type ChartData,
  type ChartSeries,
  type ChartSource,
  chooseColor,
  findColumnAt,
  findMissingColumn,
  nameMeasure,
  OTHER_LABEL,
  toProblem,
} from './chart-data.ts'
import { type Grouping, groupByColumn } from './rank-groups.ts'
import { type Point, thinPoints } from './thin-points.ts'
import {
  chooseTimeUnit,
  countUnits,
  findTimeUnit,
  formatTime,
  getNextUnit,
  parseTime,
  startOfUnit,
  type TimeUnit,
} from './time-units.ts'

const MAX_SERIES = 8
const MAX_SLICES = 12
const MAX_TIME_GROUPS = 400
/** With more, gaps would not be visible anyway. */
const MAX_FILLED_UNITS = 5000

export function buildChartData(source: ChartSource, spec: ChartSpec): ChartData {
  const missing = findMissingColumn(source, spec)
  if (missing !== undefined) return toProblem(`The result has no column "${missing}". Choose another one.`)
  if (source.rows.length === 0) return toProblem('The result has no rows to draw.')
  if (spec.kind === 'big_number') return buildBigNumbers(source, spec)
  const kind = source.columns[findColumnAt(source.columns, spec.x)]?.kind
  const isContinuous = spec.kind !== 'bar' && spec.kind !== 'pie'
  if (kind === 'date' || kind === 'timestamp') return buildOverTime(source, spec, isContinuous)
  const isNumber = kind === 'integer' || kind === 'decimal'
  if (!isNumber || !isContinuous) return buildGroups(source, spec, null)
  return spec.y.every(({ aggregate }) => aggregate === 'none')
    ? buildRawSeries(source, spec, { axis: 'number', read: parseNumber })
    : buildGroups(source, spec, NUMBER_AXIS)
}

function buildOverTime(source: ChartSource, spec: ChartSpec, isContinuous: boolean): ChartData {
  const unit = findUnit(source, spec)
  if (unit === null && isContinuous) return buildRawSeries(source, spec, { axis: 'time', read: parseTime })
  return buildGroups(source, spec, toTimeAxis(unit ?? 'day', isContinuous))
}

function buildBigNumbers({ columns, rows }: ChartSource, spec: ChartSpec): ChartData {
  const series = spec.y.map((measure, at): ChartSeries => {
    const column = findColumnAt(columns, measure.column)
    const total = createAccumulator(measure.aggregate, column !== -1)
    const read = measure.aggregate === 'none' ? rows.slice(0, 1) : rows
    for (const row of read) total.add(row[column] ?? null)
    return { name: nameMeasure(measure), color: chooseColor(at, measure.color), points: [[0, total.result()]] }
  })
  const isFirst = rows.length > 1 && spec.y.some(({ aggregate }) => aggregate === 'none')
  const notes = isFirst ? ['Shows the first row of the result.'] : []
  return { axis: 'category', xTitle: '', unit: null, categories: [''], series, notes, problem: null }
}

/** Null plots times as they are. */
function findUnit({ columns, rows }: ChartSource, spec: ChartSpec): TimeUnit | null {
  const at = findColumnAt(columns, spec.x)
  if (spec.time_unit !== 'auto') return spec.time_unit === 'none' ? null : spec.time_unit
  const times = rows.map((row) => parseTime(row[at] ?? null)).filter((time) => time !== null)
  const first = times.reduce((low, time) => Math.min(low, time), Number.POSITIVE_INFINITY)
  const last = times.reduce((high, time) => Math.max(high, time), Number.NEGATIVE_INFINITY)
  const finest = findTimeUnit(times)
  const isRaw = spec.kind === 'scatter' || spec.y.every(({ aggregate }) => aggregate === 'none')
  if (isRaw && spec.kind !== 'bar' && spec.kind !== 'pie') {
    const isRepeated = spec.split_by === null && new Set(times).size < times.length
    return isRepeated || finest === null || countUnits(first, last, finest) > MAX_FILLED_UNITS ? null : finest
  }
  return chooseTimeUnit({ first, last, from: finest ?? 'minute', max: MAX_TIME_GROUPS })
}

interface OrderedAxis {
  readonly axis: ChartData['axis']
  readonly unit: TimeUnit | null
  read(text: string | null): number | null
  format(key: number): string
  fill(keys: readonly number[]): readonly number[]
}

const NUMBER_AXIS: OrderedAxis = {
  axis: 'number',
  unit: null,
  read: parseNumber,
  format: String,
  fill: (keys) => keys,
}

function toTimeAxis(unit: TimeUnit, isContinuous: boolean): OrderedAxis {
  return {
    axis: isContinuous ? 'time' : 'category',
    unit,
    read(text) {
      const time = parseTime(text)
      return time === null ? null : startOfUnit(time, unit)
    },
    format: (key) => formatTime(key, unit),
    fill(keys) {
      const [first, last] = [keys[0], keys.at(-1)]
      if (first === undefined || last === undefined) return keys
      if (countUnits(first, last, unit) > MAX_FILLED_UNITS) return keys
      const all: number[] = []
      for (let at = first; at <= last; at = getNextUnit(at, unit)) all.push(at)
      return all
    },
  }
}

type Groups = Map<string | number, Accumulator>

function buildGroups(source: ChartSource, spec: ChartSpec, orderedAxis: OrderedAxis | null): ChartData {
  const xAt = findColumnAt(source.columns, spec.x)
  const splitAt = findColumnAt(source.columns, spec.split_by)
  const max = spec.top ?? (spec.kind === 'pie' ? MAX_SLICES - 1 : MAX_CHART_GROUPS)
  const names =
    orderedAxis || xAt === -1 ? null : groupByColumn(source, spec, { column: xAt, max, showOther: spec.show_other })
  const splits =
    splitAt === -1 ? null : groupByColumn(source, spec, { column: splitAt, max: MAX_SERIES - 1, showOther: true })
  const { series, keys, skipped } = collectGroups(source, spec, {
    readKey: (row) =>
      orderedAxis ? orderedAxis.read(row[xAt] ?? null) : names ? names.toLabel(row[xAt] ?? null) : 'All rows',
    readSplit: splits && ((row) => splits.toLabel(row[splitAt] ?? null) ?? ''),
  })
  const found = orderedAxis
    ? orderedAxis.fill([...(keys as Set<number>)].toSorted((a, b) => a - b))
    : sortNames([...(keys as Set<string>)], [...series.values()], spec.sort)
  const axis = orderedAxis?.axis ?? 'category'
  const shown = orderedAxis && axis === 'category' && spec.sort === 'x_desc' ? found.toReversed() : found
  const lines = [...series].map(([name, { measure, groups }], at): ChartSeries => {
    const empty = orderedAxis && orderedAxis.unit !== null && isCounted(measure.aggregate) ? 0 : null
    const points = shown.map((key, index): Point => {
      const group = groups.get(key)
      return [axis === 'category' ? index : Number(key), group ? group.result() : empty]
    })
    return { name, color: chooseColor(at, splits ? undefined : measure.color), points: thinPoints(points) }
  })
  return {
    axis,
    xTitle: spec.x ?? '',
    unit: orderedAxis?.unit ?? null,
    categories: axis === 'category' ? shown.map((key) => orderedAxis?.format(Number(key)) ?? String(key)) : [],
    series: orderSplits(lines, splits),
    notes: listNotes({ skipped: orderedAxis ? skipped : 0, names, splits, x: spec.x, split: spec.split_by }),
    problem: null,
  }
}

type Row = ChartSource['rows'][number]
interface Readers {
  readKey(row: Row): string | number | null
  readonly readSplit: ((row: Row) => string) | null
}

function collectGroups(source: ChartSource, spec: ChartSpec, { readKey, readSplit }: Readers) {
  const measures = (spec.kind === 'pie' ? spec.y.slice(0, 1) : spec.y).map((measure) => ({
    measure,
    column: findColumnAt(source.columns, measure.column),
  }))
  const series = new Map<string, { measure: ChartSpec['y'][number]; groups: Groups }>()
  const keys = new Set<string | number>()
  let skipped = 0
  for (const row of source.rows) {
    const key = readKey(row)
    if (key === null) {
      skipped += 1
      continue
    }
    keys.add(key)
    const split = readSplit?.(row) ?? ''
    for (const { measure, column } of measures) {
      const name = nameSeries(measure, split, { measures: measures.length, isSplit: readSplit !== null })
      let line = series.get(name)
      if (!line) series.set(name, (line = { measure, groups: new Map() }))
      let group = line.groups.get(key)
      if (!group) line.groups.set(key, (group = createAccumulator(measure.aggregate, column !== -1)))
      group.add(row[column] ?? null)
    }
  }
  return { series, keys, skipped }
}

const isCounted = (aggregate: ChartSpec['y'][number]['aggregate']): boolean =>
  aggregate === 'sum' || aggregate === 'count' || aggregate === 'count_distinct'

function nameSeries(
  measure: ChartSpec['y'][number],
  split: string,
  { measures, isSplit }: { measures: number; isSplit: boolean },
): string {
  if (!isSplit) return nameMeasure(measure)
  return measures === 1 ? split : `${split}: ${nameMeasure(measure)}`
}

function sortNames(names: string[], series: { groups: Groups }[], sort: ChartSpec['sort']): string[] {
  const total = (name: string) => series.reduce((sum, { groups }) => sum + (groups.get(name)?.result() ?? 0), 0)
  const sign = sort.endsWith('desc') ? -1 : 1
  const sorted = sort.startsWith('x')
    ? names.toSorted((name, other) => sign * name.localeCompare(other, undefined, { numeric: true }))
    : sort.startsWith('y')
      ? names
          .map((name) => [name, total(name)] as const)
          .toSorted((item, other) => sign * (item[1] - other[1]))
          .map(([name]) => name)
      : names
  return [...sorted.filter((name) => name !== OTHER_LABEL), ...sorted.filter((name) => name === OTHER_LABEL)]
}

function orderSplits(series: ChartSeries[], splits: Grouping | null): ChartSeries[] {
  if (!splits) return series
  const ordered = [
    ...series.filter(({ name }) => !name.startsWith(OTHER_LABEL)),
    ...series.filter(({ name }) => name.startsWith(OTHER_LABEL)),
  ]
  return ordered.map((line, at) => ({ ...line, color: chooseColor(at) }))
}

interface Facts {
  skipped: number
  names: Grouping | null
  splits: Grouping | null
  x: string | null
  split: string | null
}

function listNotes({ skipped, names, splits, x, split }: Facts): string[] {
  const count = (value: number) => value.toLocaleString('en-GB')
  const notes: string[] = []
  if (skipped > 0) notes.push(`${count(skipped)} rows without a value in ${x} are not shown.`)
  if (names && names.shown < names.total) {
    notes.push(`The ${count(names.shown)} largest of ${count(names.total)} values of ${x} have a name.`)
  }
  if (splits && splits.shown < splits.total) {
    notes.push(`The ${count(splits.shown)} largest of ${count(splits.total)} values of ${split} have a series.`)
  }
  return notes
}
