import type { Field, Value } from '@trellis/connector-kit/batch'
import type { ReadRequest, Reading } from '@trellis/connector-kit/connector'
import { ConnectorError } from '@trellis/connector-kit/connector-error'
import type { ConnectorContext } from '@trellis/connector-kit/context'
import { splitRecords } from '@trellis/connector-kit/malformed-records'
import { toDay, subtractMonths, parseRange } from '../shared/day-windows.ts'
import type { Page, Part, Plan } from '../shared/read-in-parts.ts'
import { readInParts } from '../shared/read-in-parts.ts'
import type { GraphAnswer } from './api.ts'
import { listAccountsToRead, readPages } from './api.ts'
import type { Entity, Level } from './catalogue.ts'
import { ENTITIES, LEVELS, getInsightFields, getInsightsKey } from './catalogue.ts'
import type { InsightsQuery } from './insights.ts'
import { readInsights } from './insights.ts'
import { toText, listTexts } from '../shared/list-texts.ts'

const KEPT_MONTHS = 37
const STEP_DAYS = 14
/** Meta attributes actions up to 28 days after the click to the day of the ad. */
const LOOKBACK_DAYS = 28
const ENTITIES_A_PAGE = 100

export async function read(context: ConnectorContext, request: ReadRequest): Promise<Reading> {
  const object = toText(request.query['report']?.['object']) || 'insights'
  if (object === 'insights') return readNumbers(context, request)
  if (object in ENTITIES) return readEntities(context, request, object as Entity)
  throw new ConnectorError('configuration', `Meta Ads has nothing called ${object}.`, { field: 'report.object' })
}

const getChosenAccounts = ({ query }: ReadRequest): string[] => listTexts(query['accounts']?.['accounts'])

async function readNumbers(context: ConnectorContext, request: ReadRequest): Promise<Reading> {
  const query = readInsightsQuery(request)
  const fields = getInsightFields(query.level, query.breakdowns, query.metrics)
  const today = toDay(context.now())
  const range = parseRange(request.query, { today, oldest: subtractMonths(today, KEPT_MONTHS) })
  const plan: Plan = {
    signal: context.signal,
    names: await listAccountsToRead(context, getChosenAccounts(request)),
    range,
    stepDays: STEP_DAYS,
    lookbackDays: LOOKBACK_DAYS,
    async *readPart({ name, window }: Part): AsyncGenerator<Page> {
      const piece = { account: name, window: window ?? range, campaigns: null }
      for await (const all of readInsights(context, query, piece)) {
        const { records, rejected } = splitRecords(all)
        yield { rows: records.map((record) => toValues(record, fields)), rejected }
      }
    },
  }
  return {
    fields,
    key: getInsightsKey(query.level, query.breakdowns),
    cursor: 'date_start',
    batches: readInParts(plan, request),
  }
}

function readInsightsQuery({ query }: ReadRequest): InsightsQuery {
  const { level, metrics, breakdowns, attribution } = query['report'] ?? {}
  const numbers = listTexts(metrics)
  if (numbers.length === 0)
    throw new ConnectorError('configuration', 'Choose at least one number.', { field: 'report.metrics' })
  const known = LEVELS.find((candidate) => candidate === level) ?? ('campaign' satisfies Level)
  return { level: known, metrics: numbers, breakdowns: listTexts(breakdowns), attribution: listTexts(attribution) }
}

async function readEntities(context: ConnectorContext, request: ReadRequest, entity: Entity): Promise<Reading> {
  const fields = ENTITIES[entity]
  const plan: Plan = {
    signal: context.signal,
    names: await listAccountsToRead(context, getChosenAccounts(request)),
    range: null,
    stepDays: 1,
    lookbackDays: 0,
    async *readPart({ name, at }: Part): AsyncGenerator<Page> {
      const after = typeof at?.['after'] === 'string' ? at['after'] : undefined
      const asked = { path: `act_${name}/${entity}`, query: { fields: fields.map((field) => field.name).join(',') } }
      const size = Math.min(ENTITIES_A_PAGE, request.limit ?? ENTITIES_A_PAGE)
      for await (const page of readPages(context, asked, { after, size })) {
        const { records, rejected } = splitRecords(page.records)
        const rows = records.map((record) => toValues({ account_id: name, ...record }, fields))
        yield { rows, rejected, ...(page.after === null ? {} : { at: { after: page.after } }) }
      }
    },
  }
  return { fields, key: ['id'], cursor: null, batches: readInParts(plan, request) }
}

function toValues(record: GraphAnswer, fields: readonly Field[]): Value[] {
  return fields.map(({ name, type, isNullable }) => {
    const found = record[name]
    if (found === undefined || found === null || found === '') return isNullable ? null : ''
    if (type === 'json') return JSON.stringify(found)
    return type === 'timestamptz' ? toIsoTimestamp(toText(found)) : toText(found)
  })
}

/** Meta writes `2026-03-01T10:00:00+0100`, without the colon Postgres expects. */
const toIsoTimestamp = (text: string) => text.replace(/([+-]\d{2})(\d{2})$/, '$1:$2')
