import type { Field, Value } from '@trellis/connector-kit/batch'
import type { ReadRequest, Reading } from '@trellis/connector-kit/connector'
import { ConnectorError } from '@trellis/connector-kit/connector-error'
import type { ConnectorContext } from '@trellis/connector-kit/context'
import { splitRecords } from '@trellis/connector-kit/malformed-records'
import { DimensionItem, GoalItem } from '@trellis/contract/formas/forma-rules'
import type { FormaValues } from '@trellis/contract/formas/forma'
import * as z from 'zod/mini'
import { toDay, parseRange } from '../shared/day-windows.ts'
import type { DayWindow } from '../shared/day-windows.ts'
import type { Page, Part } from '../shared/read-in-parts.ts'
import { readInParts } from '../shared/read-in-parts.ts'
import type { Report } from './api.ts'
import { readMetadata, runReport } from './api.ts'
import { MAX_METRICS } from './formas.ts'
import { toText } from '../shared/list-texts.ts'
import { TooLarge } from '../shared/size-errors.ts'

const STEP_DAYS = 90
const LOOKBACK_DAYS = 2
const ROWS_A_PAGE = 100_000
const OLDEST = '2015-08-14'
const FEW_TOKENS = 500
const MIN_ROWS = 100

interface ReportQuery {
  readonly property: string
  readonly dimensions: readonly string[]
  readonly events: readonly string[]
  readonly metrics: readonly string[]
  readonly goals: readonly string[]
}

export async function read(context: ConnectorContext, request: ReadRequest): Promise<Reading> {
  const wantedReportQuery = parseReportQuery(request.query)
  const fields = await readFields(context, wantedReportQuery)
  const range = parseRange(request.query, { today: toDay(context.now()), oldest: OLDEST })
  const plan = {
    signal: context.signal,
    names: [wantedReportQuery.property],
    range,
    stepDays: STEP_DAYS,
    lookbackDays: LOOKBACK_DAYS,
    readPart: ({ window, at }: Part) =>
      readPages(context, wantedReportQuery, { window: window ?? range, at, fields, most: request.limit }),
  }
  return {
    fields,
    key: ['property', ...wantedReportQuery.dimensions.map(columnName)],
    cursor: 'date',
    batches: readInParts(plan, request),
  }
}

function parseReportQuery(query: FormaValues): ReportQuery {
  const { dimensions, metrics, goals } = query['report'] ?? {}
  const items = z.safeParse(z.array(DimensionItem), dimensions)
  const chosen = items.data?.map(({ dimension }) => dimension).filter((name) => name !== '' && name !== 'date') ?? []
  const events = items.data?.map(({ actionEvent }) => actionEvent).filter((name) => name !== '') ?? []
  const wanted = z.safeParse(z.array(GoalItem), goals).data?.map(({ goalEvent }) => goalEvent) ?? []
  const reportQuery: ReportQuery = {
    property: toText(query['property']?.['property']).replaceAll(/\D/g, ''),
    dimensions: ['date', ...new Set(chosen)],
    events: [...new Set(events)],
    metrics: Array.isArray(metrics) ? [...new Set(metrics.map(String))] : [],
    goals: [...new Set(wanted.filter((name) => name !== ''))],
  }
  const problem = findProblem(reportQuery)
  if (problem) throw new ConnectorError('configuration', problem.message, { field: problem.field })
  return reportQuery
}

function findProblem({ property, metrics, goals }: ReportQuery): { message: string; field: string } | null {
  if (property === '') return { message: 'Choose a property of Google Analytics.', field: 'property.property' }
  const count = metrics.length + goals.length
  if (count === 0) return { message: 'Choose at least one metric or goal.', field: 'report.metrics' }
  if (count <= MAX_METRICS) return null
  return {
    message: `Google Analytics gives at most ${MAX_METRICS} metrics at once; ${metrics.length} metrics and ${goals.length} goals are chosen.`,
    field: 'report.metrics',
  }
}

const goalMetric = (goal: string) => `keyEvents:${goal}`
const columnName = (name: string) =>
  name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replaceAll(/\W+/g, '_')
    .toLowerCase()

async function readFields(
  context: ConnectorContext,
  { property, dimensions, metrics, goals }: ReportQuery,
): Promise<Field[]> {
  const { metrics: known = [] } = await readMetadata(context, property)
  const isWhole = (name: string) => known.some(({ apiName, type }) => apiName === name && type === 'TYPE_INTEGER')
  return [
    { name: 'property', type: 'integer', isNullable: false },
    ...dimensions.map((name): Field => ({
      name: columnName(name),
      type: name === 'date' ? 'date' : 'text',
      isNullable: false,
    })),
    ...metrics.map((name): Field => ({
      name: columnName(name),
      type: isWhole(name) ? 'integer' : 'float',
      isNullable: true,
    })),
    ...goals.map((name): Field => ({ name: `goal_${columnName(name)}`, type: 'float', isNullable: true })),
  ]
}

interface ReportRange {
  readonly window: DayWindow
  readonly at: Part['at']
  readonly fields: readonly Field[]
  readonly most: number | undefined
}

/** A response may have fewer rows than requested: the total row count decides whether there is another page. */
async function* readPages(
  context: ConnectorContext,
  reportQuery: ReportQuery,
  { window, at, fields, most }: ReportRange,
): AsyncGenerator<Page> {
  let limit = Math.min(ROWS_A_PAGE, most ?? ROWS_A_PAGE)
  let offset = typeof at?.['offset'] === 'number' ? at['offset'] : 0
  for (;;) {
    const report = await reportOrNull(context, reportQuery, toReportBody(reportQuery, window, { offset, limit }))
    if (report === null && limit <= MIN_ROWS) throw reportTooLargeError()
    if (report === null) {
      limit = Math.ceil(limit / 2)
      continue
    }
    warnAboutQuota(context, report)
    const rows = report.rows ?? []
    const { records, rejected } = splitRecords(rows, offset)
    offset += rows.length
    const isLast = rows.length === 0 || offset >= (report.rowCount ?? 0)
    yield { rows: records.map((row) => toValues(row, reportQuery, fields)), rejected, at: { offset } }
    if (isLast) return
  }
}

/** Null if the response is too large and fewer rows must be requested. */
async function reportOrNull(
  context: ConnectorContext,
  { property }: ReportQuery,
  body: unknown,
): Promise<Report | null> {
  try {
    return await runReport(context, property, body)
  } catch (error) {
    if (error instanceof TooLarge) return null
    throw error
  }
}

const reportTooLargeError = () =>
  new ConnectorError('configuration', 'Even a few rows of this report are too large to be read.', {
    advice: 'Choose fewer dimensions.',
    field: 'report.dimensions',
  })

/** Without an order the pages of a report may overlap. */
function toReportBody(reportQuery: ReportQuery, { from, to }: DayWindow, page: { offset: number; limit: number }) {
  const { dimensions, metrics, goals, events } = reportQuery
  return {
    dimensions: dimensions.map((name) => ({ name })),
    metrics: [...metrics, ...goals.map(goalMetric)].map((name) => ({ name })),
    dateRanges: [{ startDate: from, endDate: to }],
    orderBys: dimensions.map((dimensionName) => ({ dimension: { dimensionName } })),
    ...(events.length === 0
      ? {}
      : { dimensionFilter: { filter: { fieldName: 'eventName', inListFilter: { values: events } } } }),
    limit: String(page.limit),
    offset: String(page.offset),
    keepEmptyRows: false,
    returnPropertyQuota: true,
  }
}

function warnAboutQuota(context: ConnectorContext, { propertyQuota }: Report): void {
  const left = propertyQuota?.tokensPerDay?.remaining
  if (left !== undefined && left < FEW_TOKENS)
    context.log('WARNING', `Google Analytics has ${left} of today's tokens left for this property.`)
}

type ReportRow = NonNullable<Report['rows']>[number]

function toValues(
  { dimensionValues = [], metricValues = [] }: ReportRow,
  { property, dimensions }: ReportQuery,
  fields: readonly Field[],
): Value[] {
  const texts = dimensions.map((name, index) => formatDimension(name, dimensionValues[index]?.value ?? ''))
  const numbers = fields.slice(1 + dimensions.length).map(({ type }, index) => {
    const text = metricValues[index]?.value
    if (text === undefined || text === '') return null
    return type === 'integer' ? String(Math.round(Number(text))) : Number(text)
  })
  return [property, ...texts, ...numbers]
}

const formatDimension = (name: string, text: string) =>
  name === 'date' && /^\d{8}$/.test(text) ? `${text.slice(0, 4)}-${text.slice(4, 6)}-${text.slice(6)}` : text
