import type { ColumnType } from '@trellis/contract/explorer/column-types'
import type { Forma, FormaValues } from '@trellis/contract/formas/forma'
import type { RestManifest, RestStream } from '@trellis/contract/integrations/rest-manifest'
import type { Batch, Field, ReadState } from '../batch.ts'
import { ConnectorError } from '../connector-error.ts'
import type { ReadRequest, Reading, Source } from '../connector.ts'
import type { ConnectorContext } from '../context.ts'
import { splitRecords } from '../malformed-records.ts'
import { convertPage } from './convert-page.ts'
import { PLAIN_FIELD, inferFields } from './infer.ts'
import { type Page, type Position, type CursorRange, readPages, getFullRange } from './pages.ts'
import { getField } from './path.ts'
import { type Run, type RunOptions, getStream, startRun } from './run.ts'
import { type CursorValue, parseCheckpointValue, toCheckpointValue, parseCursorValue, withLookback } from './windows.ts'

export interface RestSourceOptions extends Omit<RunOptions, 'query' | 'config' | 'baseUrl'> {
  readonly queryFormas: readonly Forma[]
  readonly config?: (context: ConnectorContext) => Readonly<Record<string, unknown>>
  readonly baseUrl?: (context: ConnectorContext) => string | undefined
}

export const buildStreamQuery = (stream: string): FormaValues => ({ data: { stream } })

export function createRestSource(
  manifest: RestManifest | ((context: ConnectorContext) => RestManifest),
  options: RestSourceOptions,
): Source {
  return {
    queryFormas: options.queryFormas,
    buildQuery: buildStreamQuery,
    async read(context, request) {
      const { config, baseUrl, ...rest } = options
      const own = typeof manifest === 'function' ? manifest(context) : manifest
      const run = startRun(context, own, {
        ...rest,
        query: request.query,
        config: config?.(context) ?? {},
        baseUrl: baseUrl?.(context),
      })
      const name = request.query['data']?.['stream']
      return readStream(run, getStream(own, typeof name === 'string' ? name : ''), request)
    },
  }
}

interface RestState {
  /** Everything before this has been read. */
  readonly cursor?: string | number
  /** The remaining fields are set only during a run. */
  readonly seen?: string | number
  readonly start?: number
  readonly until?: number
  readonly at?: Position
  /** Inferred; stored so that a resumed read has the same columns. */
  readonly fields?: readonly (readonly [string, ColumnType])[]
}

/** Enough to meet rare fields; a larger sample would have to be held in memory before the first row is written. */
const SAMPLE_RECORDS = 1000
const SAMPLE_PAGES = 20

async function readStream(run: Run, stream: RestStream, request: ReadRequest): Promise<Reading> {
  const state = (request.state ?? {}) as RestState
  const range = computeRange(run, stream, { request, state })
  const pages = readPages({ run, stream, range }, state.at)
  const { fields, sampled } = stream.fields
    ? { fields: toFields(stream.fields, stream.key), sampled: [] }
    : await sampleFields(pages, stream, { context: run.context, state, limit: request.limit })
  const hasCursor = stream.cursor !== undefined && fields.some(({ name }) => name === stream.cursor?.field)
  return {
    fields,
    key: stream.key ?? [],
    cursor: hasCursor ? (stream.cursor?.field ?? null) : null,
    isSampled: !stream.fields,
    batches: toBatches({ run, stream, range, fields, state, request }, concatPages(sampled, pages)),
  }
}

const toFields = (fields: NonNullable<RestStream['fields']>, key: readonly string[] = []): Field[] =>
  fields.map(({ name, type }) => ({ name, type, isNullable: !key.includes(name) }))

/** Undefined: the stream has no cursor and is read whole. In order: a resumed read, a requested window, the checkpoint. */
function computeRange(
  run: Run,
  stream: RestStream,
  { request, state }: { request: ReadRequest; state: RestState },
): CursorRange | undefined {
  const { cursor } = stream
  const { window, query } = request
  const wholeCursorRange = getFullRange(run, stream)
  if (!cursor || !wholeCursorRange) {
    if (!window) return undefined
    const message = `${stream.title ?? stream.name} can only be read whole: it has no cursor.`
    throw new ConnectorError('configuration', message, { advice: 'Leave it out of the backfill, or load it anew.' })
  }
  if (state.at && state.start !== undefined) return { start: state.start, until: state.until }
  if (window) {
    const end = parseCursorValue(cursor, window.to) ?? wholeCursorRange.until
    const isDay = /^\d{4}-\d{2}-\d{2}$/.test(window.to)
    return {
      start: parseCursorValue(cursor, window.from) ?? wholeCursorRange.start,
      until: isDay && end !== undefined ? getDayEnd(end) : end,
    }
  }
  const { from, to } = getChosenDays(query)
  const until =
    to === undefined || wholeCursorRange.until === undefined
      ? wholeCursorRange.until
      : Math.min(wholeCursorRange.until, getDayEnd(to))
  if (state.cursor !== undefined)
    return { start: withLookback(cursor, parseCheckpointValue(cursor, state.cursor)), until }
  return { start: cursor.kind === 'number' ? wholeCursorRange.start : (from ?? wholeCursorRange.start), until }
}

const getDayEnd = (index: CursorValue) => index + 86_400_000 - 1

function getChosenDays(query: FormaValues): { from?: CursorValue; to?: CursorValue } {
  const dates = query['period']?.['dates'] as
    | { dataTimeframe?: string; startDate?: string; endDate?: string }
    | undefined
  const from = Date.parse(dates?.startDate ?? '')
  const to = dates?.dataTimeframe === 'rangeDates' ? Date.parse(dates.endDate ?? '') : Number.NaN
  return { ...(Number.isNaN(from) ? {} : { from }), ...(Number.isNaN(to) ? {} : { to }) }
}

async function sampleFields(
  pages: AsyncGenerator<Page>,
  { key = [] }: RestStream,
  {
    context,
    state,
    limit = SAMPLE_RECORDS,
  }: { context: ConnectorContext; state: RestState; limit: number | undefined },
): Promise<{ fields: Field[]; sampled: Page[] }> {
  const sampled: Page[] = []
  if (state.at && state.fields) return { fields: inferFields([], key, state.fields), sampled }
  let count = 0
  let full = 0
  // Empty windows do not count towards the sample, otherwise fields would be lost.
  while (full < SAMPLE_PAGES && count < Math.min(limit, SAMPLE_RECORDS)) {
    const { value, done } = await pages.next()
    if (done) break
    sampled.push(value)
    count += value.records.length
    if (value.records.length > 0) full += 1
  }
  const records = sampled.flatMap((page) => page.records)
  const fields = inferFields(records, key, state.fields)
  const of = `${count.toLocaleString('en')} ${count === 1 ? 'record' : 'records'} of ${full.toLocaleString('en')} ${full === 1 ? 'page' : 'pages'}`
  context.log('INFO', `${fields.length} fields and their types were inferred from ${of}.`)
  return { fields, sampled }
}

async function* concatPages(first: readonly Page[], rest: AsyncGenerator<Page>): AsyncGenerator<Page> {
  yield* first
  yield* rest
}

interface Work {
  readonly run: Run
  readonly stream: RestStream
  readonly range: CursorRange | undefined
  readonly fields: readonly Field[]
  readonly state: RestState
  readonly request: ReadRequest
}

async function* toBatches(work: Work, pages: AsyncGenerator<Page>): AsyncGenerator<Batch> {
  const { run, stream, fields, request } = work
  const tracker = createCursorTracker(work)
  let count = 0
  const toRows = convertPage(run.context, stream, fields)
  const hasPlainRecords = fields.length === 1 && fields[0]?.name === PLAIN_FIELD
  for await (const { records: all, after } of pages) {
    const { records, rejected } = hasPlainRecords ? { records: all, rejected: [] } : splitRecords(all, count)
    tracker.observe(records)
    count += all.length
    const state = tracker.toStateAt(after) as ReadState
    yield { kind: 'rows', rows: toRows(records), state, ...(rejected.length > 0 && { rejected }) }
    if (request.limit !== undefined && count >= request.limit) return
  }
  run.context.signal.throwIfAborted()
  const last = { kind: 'rows', rows: [] } as const
  yield request.window ? last : { ...last, state: tracker.toFinalState() as ReadState }
}

interface CursorTracker {
  observe(records: readonly unknown[]): void
  toStateAt(at: Position): RestState
  toFinalState(): RestState
}

function createCursorTracker({ stream, range, fields, state }: Work): CursorTracker {
  const { cursor } = stream
  const restState: RestState = stream.fields ? {} : { fields: fields.map(({ name, type }) => [name, type] as const) }
  if (!cursor || !range) {
    return { observe: () => undefined, toStateAt: (at) => ({ ...restState, at }), toFinalState: () => restState }
  }
  const base = state.cursor ?? toCheckpointValue(cursor, range.start)
  let seen = state.seen === undefined ? undefined : parseCheckpointValue(cursor, state.seen)
  return {
    observe(records) {
      for (const record of records) {
        const index = parseCursorValue(cursor, getField(record, cursor.field))
        if (index !== undefined && index > (seen ?? -Infinity)) seen = index
      }
    },
    toStateAt: (at) => ({
      cursor: base,
      ...(seen === undefined ? {} : { seen: toCheckpointValue(cursor, seen) }),
      start: range.start,
      ...(range.until === undefined ? {} : { until: range.until }),
      ...restState,
      at,
    }),
    toFinalState() {
      // Otherwise one record dated 9999 would hide all later ones.
      const reached = Math.min(seen ?? -Infinity, range.until ?? Infinity)
      return { cursor: toCheckpointValue(cursor, Math.max(reached, parseCheckpointValue(cursor, base))), ...restState }
    },
  }
}
