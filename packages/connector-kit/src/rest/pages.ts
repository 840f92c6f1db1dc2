import type { RestStream } from '@trellis/contract/integrations/rest-manifest'
import { ConnectorError } from '../connector-error.ts'
import { call } from '../http/call.ts'
import { SourceChanged } from '../source-changed.ts'
import { splitFields, mergeByKey } from './field-chunks.ts'
import { type PageToken, createLoopGuard, getNextToken, toPagePart } from './paginate.ts'
import { type ListedPartition, type PartitionPosition, goThroughPartitions } from './partitions.ts'
import { getField, getRecords } from './path.ts'
import { finishReport } from './report.ts'
import { type Run, buildRequest, getStream, removeUrlSecrets } from './run.ts'
import { type Scope, evaluateText } from './scope.ts'
import {
  type CursorValue,
  type Window,
  isInWindow,
  toCheckpointValue,
  parseCursorValue,
  toTemplateValue,
  listWindows,
  formatCursorValue,
} from './windows.ts'

/** Position to resume from. `page: 'end'` follows the last page of the window. */
export interface Position {
  readonly partition?: PartitionPosition<Position>
  readonly window?: string | number
  readonly page?: PageToken
  readonly isPageDone?: true
  readonly report?: string
}

export interface Page {
  readonly records: readonly unknown[]
  readonly here: Position
  readonly after: Position
  readonly window: Window | undefined
  readonly next: PageToken | undefined
}

export interface CursorRange {
  readonly start: CursorValue
  readonly until: CursorValue | undefined
}

export interface StreamRead {
  readonly run: Run
  readonly stream: RestStream
  readonly range: CursorRange | undefined
}

/** Pages of all windows of all partitions; holds one page at a time. */
export async function* readPages(reading: StreamRead, from: Position = {}): AsyncGenerator<Page> {
  let resume: Position | undefined = from
  for await (const { scope, position } of listPartitions(reading, from.partition)) {
    const isResumed: boolean = resume !== undefined && resume.partition?.value === position.partition?.value
    yield* readWindows(reading, { scope, position, from: isResumed ? resume : undefined })
    resume = undefined
  }
}

interface Partition {
  readonly scope: Scope
  readonly position: Position
}

async function* listPartitions(reading: StreamRead, from: Position['partition']): AsyncGenerator<Partition> {
  const { run, stream } = reading
  const { partition } = stream
  if (!partition) return yield { scope: run.scope, position: {} }
  const list = partition.type === 'list' ? listValues(reading, partition) : listParents(reading, partition)
  const what = `The list that ${stream.title ?? stream.name} are read by`
  for await (const { listed, position } of goThroughPartitions(list, { from, what })) {
    yield { scope: listed.scope, position: { partition: position } }
  }
}

interface ScopedPartition extends ListedPartition<Position> {
  readonly scope: Scope
}
type RestPartition = NonNullable<RestStream['partition']>

const listValues = ({ run }: StreamRead, { values }: Extract<RestPartition, { type: 'list' }>) =>
  async function* (): AsyncGenerator<ScopedPartition> {
    for (const text of values) {
      const value = evaluateText(text, run.scope)
      yield { value, scope: { ...run.scope, partition: value } }
    }
  }

function listParents({ run }: StreamRead, { stream, field }: Extract<RestPartition, { type: 'parent' }>) {
  const parent = getStream(run.manifest, stream)
  const parents: StreamRead = { run, stream: parent, range: getFullRange(run, parent) }
  return async function* (from?: Position): AsyncGenerator<ScopedPartition> {
    for await (const { records, here } of readPages(parents, from)) {
      for (const record of records) {
        const value = toText(getField(record, field))
        if (value !== '') yield { value, page: here, scope: { ...run.scope, parent: record, partition: value } }
      }
    }
  }
}

const toText = (value: unknown) => (typeof value === 'string' || typeof value === 'number' ? String(value) : '')

export function getFullRange(run: Run, { cursor }: RestStream): CursorRange | undefined {
  if (!cursor) return undefined
  const isNumber = cursor.kind === 'number'
  const text = cursor.start === undefined ? undefined : evaluateText(cursor.start, run.scope)
  const start =
    text === undefined ? undefined : parseCursorValue({ ...cursor, format: isNumber ? 'number' : 'iso' }, text)
  if (text !== undefined && start === undefined) {
    throw new ConnectorError('configuration', `"${text}" is no place to begin reading at.`, {
      advice: isNumber ? 'Enter a number.' : 'Enter a date, as 2026-01-31.',
    })
  }
  return { start: start ?? 0, until: isNumber ? undefined : run.scope.now.getTime() }
}

interface InPartition extends Partition {
  readonly from: Position | undefined
}

async function* readWindows(reading: StreamRead, { scope, position, from }: InPartition): AsyncGenerator<Page> {
  const { stream, range } = reading
  const { cursor } = stream
  if (!cursor || !range) {
    return yield* readOneWindow(reading, { scope, position, from, window: undefined })
  }
  let resume = from?.window === undefined ? undefined : from
  for (const window of listWindows(cursor, range.start, range.until)) {
    const start = toCheckpointValue(cursor, window.start)
    if (resume && resume.window !== start) continue
    const inWindow: Scope = {
      ...scope,
      window: { start: toTemplateValue(cursor, window.start), end: toTemplateValue(cursor, window.end) },
    }
    const at = { scope: inWindow, position: { ...position, window: start }, from: resume, window }
    resume = undefined
    yield* readOneWindow(reading, at)
  }
  // Other windows than those of the checkpoint would all be passed over.
  if (resume) throw new SourceChanged(stream.title ?? stream.name)
}

interface InWindow extends InPartition {
  readonly window: Window | undefined
}

async function* readOneWindow(reading: StreamRead, { from, ...at }: InWindow): AsyncGenerator<Page> {
  const { run, stream } = reading
  if (from?.isPageDone) return
  const report = stream.report
    ? await finishReport(run, stream.report, { scope: at.scope, id: from?.report })
    : undefined
  const position = report === undefined ? at.position : { ...at.position, report }
  const scope = report === undefined ? at.scope : { ...at.scope, report }
  const guard = createLoopGuard(stream.title ?? stream.name)
  let token = from?.page
  let fullest: number | undefined
  for (;;) {
    run.context.signal.throwIfAborted()
    const { records, next, text, count } = await fetchPage(reading, { scope, window: at.window, token, fullest })
    guard(token, text)
    fullest = Math.max(count, fullest ?? 0)
    const here = token === undefined ? position : { ...position, page: token }
    const after: Position = next === undefined ? { ...position, isPageDone: true } : { ...position, page: next }
    yield { records, here, after, window: at.window, next }
    if (next === undefined) return
    token = next
  }
}

interface PageRequest {
  readonly scope: Scope
  readonly window: Window | undefined
  readonly token: PageToken | undefined
  readonly fullest: number | undefined
}

interface FetchedPage {
  readonly records: unknown[]
  readonly next: PageToken | undefined
  readonly text: string
  readonly count: number
}

async function fetchPage(
  { run, stream }: StreamRead,
  { scope, window, token, fullest }: PageRequest,
): Promise<FetchedPage> {
  const page = toPagePart(stream.paginate, token)
  const parts: Omit<FetchedPage, 'count'>[] = []
  for (const { scope: ownScope, query } of splitFields(stream, { ...scope, page: token })) {
    const ends = windowQuery(stream, window)
    const requestedPagePart =
      page.address === undefined ? { ...page, query: { ...ends, ...query, ...page.query } } : page
    const request = buildRequest(run, stream.request, { scope: ownScope, page: requestedPagePart })
    const answer = await call(run.context, request, run.rules)
    if (answer.isIgnored) return { records: [], next: undefined, text: '', count: 0 }
    const body = answer.json()
    const records = getRecords(body, stream.records)
    const next = getNextToken(stream.paginate, { body, headers: answer.headers, records, fullest }, token)
    parts.push({
      records,
      next: isAddress(stream) && next !== undefined ? removeUrlSecrets(run, String(next)) : next,
      text: answer.text,
    })
  }
  const [first] = parts
  const records =
    parts.length === 1
      ? (first?.records ?? [])
      : mergeByKey(
          stream,
          parts.map((part) => part.records),
        )
  const text = parts.map((part) => part.text).join('\n')
  return {
    records: dropOlderRecords(stream, window, records),
    next: first?.next,
    text,
    count: first?.records.length ?? 0,
  }
}

const isAddress = ({ paginate }: RestStream) => paginate?.type === 'next_url' || paginate?.type === 'link_header'

function windowQuery({ cursor }: RestStream, window: Window | undefined): Record<string, string> {
  if (!cursor || !window) return {}
  const { start_parameter: start, end_parameter: end } = cursor
  const isFromTheBeginning = window.start <= 0
  return {
    ...(start === undefined || isFromTheBeginning ? {} : { [start]: String(formatCursorValue(cursor, window.start)) }),
    ...(end === undefined || window.end === undefined ? {} : { [end]: String(formatCursorValue(cursor, window.end)) }),
  }
}

/** A platform without a start parameter returns everything, so older records are dropped here. */
function dropOlderRecords(stream: RestStream, window: Window | undefined, records: unknown[]): unknown[] {
  const { cursor } = stream
  if (!cursor || !window) return records
  const isTold = cursor.start_parameter !== undefined || JSON.stringify(listRequests(stream)).includes('window.start')
  return records.filter((record) => {
    const index = parseCursorValue(cursor, getField(record, cursor.field))
    if (!isInWindow(cursor, window, index)) return false
    return isTold || index === undefined || index >= window.start
  })
}

const listRequests = ({ request, report }: RestStream) => [request, report?.create, report?.poll]
