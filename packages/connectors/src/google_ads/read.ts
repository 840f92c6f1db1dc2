import type { Field, Value } from '@trellis/connector-kit/batch'
import type { ReadRequest, Reading } from '@trellis/connector-kit/connector'
import { ConnectorError } from '@trellis/connector-kit/connector-error'
import type { ConnectorContext } from '@trellis/connector-kit/context'
import { splitRecords } from '@trellis/connector-kit/malformed-records'
import type { DayWindow } from '../shared/day-windows.ts'
import { addDays, toDay, halveWindow, subtractMonths, parseRange } from '../shared/day-windows.ts'
import type { Page, Part } from '../shared/read-in-parts.ts'
import { readInParts } from '../shared/read-in-parts.ts'
import type { Account, SearchRow } from './api.ts'
import { listAccountsToRead, search } from './api.ts'
import type { CatalogueField } from './gaql/catalogue.ts'
import { toColumnType, findField } from './gaql/catalogue.ts'
import { DAY_FIELD, getDateBounds } from './gaql/dates.ts'
import { checkGaql, formatProblem } from './gaql/validate-query.ts'
import { printGaql } from './gaql/print.ts'
import type { Condition, Query } from './gaql/query.ts'
import { toLiteral } from './gaql/query.ts'
import { toText } from '../shared/list-texts.ts'
import { TooLarge } from '../shared/size-errors.ts'

const STEP_DAYS = 14
const KEPT_MONTHS = 37
const CLICKS_KEPT_DAYS = 90
const DEFAULT_CONVERSION_WINDOW = 14
const ROWS_A_BATCH = 5000

export async function read(context: ConnectorContext, request: ReadRequest): Promise<Reading> {
  const query = parseQuery(request)
  const columns = listColumns(query)
  const today = toDay(context.now())
  const isClicks = query.from.name === 'click_view'
  const oldest = isClicks ? addDays(today, -CLICKS_KEPT_DAYS + 1) : subtractMonths(today, KEPT_MONTHS)
  const range = parseRange(request.query, { today, oldest })
  const days = getDayMode(query)
  const accounts = await listAccountsToRead(context, getChosenAccounts(request))
  const lookback = context.values['account']?.['conversion_window']
  const plan = {
    signal: context.signal,
    names: accounts.map(({ id }) => id),
    range: days === 'each' ? range : null,
    stepDays: isClicks ? 1 : STEP_DAYS,
    lookbackDays: typeof lookback === 'number' ? lookback : DEFAULT_CONVERSION_WINDOW,
    readPart: (part: Part) => {
      const window = part.window ?? (days === 'all' ? (request.window ?? range) : null)
      const textFor = (some: DayWindow | null) => printGaql(limitQuery(limitToWindow(query, some), request.limit))
      const work = { account: getAccount(accounts, part.name), textFor, columns, canSplit: days === 'each' }
      return readPages(context, work, window)
    },
  }
  return {
    fields: columns.map(({ field }) => field),
    key: columns.filter(({ isKey }) => isKey).map(({ field }) => field.name),
    cursor: days === 'each' ? columnName(DAY_FIELD) : null,
    batches: readInParts(plan, request),
  }
}

function parseQuery({ query }: ReadRequest): Query {
  const text = query['monacoGaql']?.['editor']
  const { query: parsed, problems } = checkGaql(typeof text === 'string' ? text : '')
  const [first] = problems
  if (parsed && !first) return parsed
  throw new ConnectorError('configuration', first ? formatProblem(first) : 'The query is empty.', {
    advice: 'Correct the query and validate it.',
    field: 'monacoGaql.editor',
  })
}

function getChosenAccounts({ query }: ReadRequest): string[] {
  const chosen = query['accounts']?.['customers']
  return Array.isArray(chosen) ? chosen.map(String) : []
}

/** `each`: one request per day. `all`: one sum. `own`: the query's own dates. A query with LIMIT cannot be split. */
export function getDayMode(query: Query): 'each' | 'all' | 'own' {
  if (getDateBounds(query) !== 'none') return 'own'
  const categories = query.select.map(({ name }) => findField(name)?.category)
  if (!categories.includes('metric') && !categories.includes('segment') && query.from.name !== 'click_view')
    return 'own'
  if (query.from.name === 'click_view') return 'each'
  return query.select.some(({ name }) => name === DAY_FIELD) && !query.limit ? 'each' : 'all'
}

const place = { line: 0, column: 0 }

export function limitToWindow(query: Query, window: DayWindow | null): Query {
  const name = (text: string) => ({ name: text, ...place })
  const hasResource = query.select.some((other) => other.name === `${query.from.name}.resource_name`)
  const select = hasResource ? query.select : [...query.select, name(`${query.from.name}.resource_name`)]
  const hasDay = select.some((other) => other.name === DAY_FIELD)
  const isClicks = query.from.name === 'click_view'
  const condition: Condition[] = window
    ? [
        {
          field: name(DAY_FIELD),
          operator: 'BETWEEN',
          operatorAt: place,
          values: [toLiteral(window.from), toLiteral(window.to)],
        },
      ]
    : []
  return {
    ...query,
    select: isClicks && !hasDay ? [...select, name(DAY_FIELD)] : select,
    where: [...query.where, ...condition],
    parameters: query.parameters.filter((parameter) => parameter.name.name !== 'omit_unselected_resource_names'),
  }
}

const limitQuery = (query: Query, most: number | undefined): Query =>
  most === undefined ? query : { ...query, limit: { ...place, count: Math.min(most, query.limit?.count ?? most) } }

interface Column {
  readonly field: Field
  readonly path: readonly string[] | null
  readonly isKey: boolean
}

const columnName = (name: string) => name.replaceAll('.', '_')
const toPath = (name: string) =>
  name.split('.').map((part) => part.replaceAll(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase()))

/** Resource name and account are always selected: they form the key. */
function listColumns(query: Query): Column[] {
  const resource = `${query.from.name}.resource_name`
  const isClicks = query.from.name === 'click_view'
  const names = new Set([...query.select.map(({ name }) => name), ...(isClicks ? [DAY_FIELD] : []), resource])
  names.delete('customer.id')
  const account: Column = {
    field: { name: 'customer_id', type: 'integer', isNullable: false },
    path: null,
    isKey: true,
  }
  return [
    account,
    ...[...names].map((name): Column => {
      const field = findField(name) as CatalogueField
      const isKey = name === resource || field.category === 'segment'
      return {
        field: { name: columnName(name), type: toColumnType(field), isNullable: !isKey },
        path: toPath(name),
        isKey,
      }
    }),
  ]
}

interface Work {
  readonly account: Account
  readonly textFor: (window: DayWindow | null) => string
  /** A sum over all days cannot be computed from sums of parts. */
  readonly canSplit: boolean
  readonly columns: readonly Column[]
}

/** A response that is too large is requested again in two halves of its days. */
async function* readPages(context: ConnectorContext, work: Work, window: DayWindow | null): AsyncGenerator<Page> {
  const { account, columns } = work
  const rows = await readRows(context, work, window)
  if (rows === null) {
    for (const half of halveWindow(window as DayWindow)) yield* readPages(context, work, half)
    return
  }
  context.log('DEBUG', `Account ${account.id}: ${rows.length} rows.`)
  for (let start = 0; start < rows.length; start += ROWS_A_BATCH) {
    context.signal.throwIfAborted()
    const { records, rejected } = splitRecords(rows.slice(start, start + ROWS_A_BATCH), start)
    yield { rows: records.map((row) => toValues(row, columns, account)), rejected }
  }
}

async function readRows(context: ConnectorContext, work: Work, window: DayWindow | null): Promise<SearchRow[] | null> {
  const { account, textFor, canSplit } = work
  try {
    return await search(context, account, textFor(window))
  } catch (error) {
    if (!(error instanceof TooLarge)) throw error
    if (canSplit && window && window.from < window.to) return null
    throw new ConnectorError('configuration', `The answer of account ${account.id} is too large to be read at once.`, {
      advice: 'Select fewer fields, add a condition, or add segments.date so that it can be read day by day.',
      field: 'monacoGaql.editor',
    })
  }
}

const EMPTY: Partial<Record<Field['type'], Value>> = { integer: 0, float: 0, boolean: false }

function toValues(row: SearchRow, columns: readonly Column[], { id }: Account): Value[] {
  return columns.map(({ field, path, isKey }) => {
    if (path === null) return id
    const found = path.reduce<unknown>((value, part) => (value as SearchRow | undefined)?.[part], row)
    return toValue(found, field.type) ?? (isKey ? (EMPTY[field.type] ?? '') : null)
  })
}

/** Google Ads may omit zero, false and empty values, and writes integers as strings. */
function toValue(found: unknown, type: Field['type']): Value {
  if (found === undefined || found === null) return null
  if (type === 'json') return JSON.stringify(found)
  if (type === 'integer') return typeof found === 'number' ? found : toText(found)
  if (type === 'float' || type === 'boolean') return found as number | boolean
  return toText(found)
}

function getAccount(accounts: readonly Account[], id: string): Account {
  const account = accounts.find((candidate) => candidate.id === id)
  if (!account) throw new ConnectorError('system', `The account ${id} was not walked.`)
  return account
}
