import type { Field, ReadState, RejectedRecord, RowBatch, Value } from '@trellis/connector-kit/batch'
import type { ReadRequest, Reading } from '@trellis/connector-kit/connector'
import { ConnectorError } from '@trellis/connector-kit/connector-error'
import { SourceChanged } from '@trellis/connector-kit/source-changed'
import type { ConnectorContext } from '@trellis/connector-kit/context'
import { rejectRecord } from '@trellis/connector-kit/malformed-records'
import { joinWithOr } from '../shared/join-with-or.ts'
import type { Cell, Sheet } from './api.ts'
import { readRows, readSpreadsheet } from './api.ts'
import { ROW_NUMBER, createKindDetector, toFields, isEmptyRow, isSheetRow, toColumnNames, toValues } from './columns.ts'
import { toText } from '../shared/list-texts.ts'

const CELLS_A_REQUEST = 20_000
/** Up to this size a sheet is kept in memory; a larger one is read twice. */
const CELLS_KEPT = 400_000

interface RowRange {
  readonly from: number
  readonly rows: readonly unknown[]
}

interface SheetSummary {
  readonly names: readonly string[]
  readonly fields: readonly Field[]
  readonly hash: string
  readonly kept: readonly RowRange[] | null
}

/** The API cannot list changes: the sheet is read completely each time, and emitted only if its hash changed. */
export async function read(context: ConnectorContext, request: ReadRequest): Promise<Reading> {
  const sheet = await getSheet(context, request)
  const header = getHeaderRow(request)
  const summary = await inspectSheet(context, sheet, { header, most: request.limit })
  return {
    fields: summary.fields,
    key: [ROW_NUMBER],
    cursor: null,
    batches: toBatches(context, { sheet, header, summary }, request),
  }
}

async function getSheet(context: ConnectorContext, { query }: ReadRequest): Promise<Sheet> {
  const name = toText(query['sheet']?.['name'])
  const { sheets } = await readSpreadsheet(context)
  const sheet = sheets.find(({ title }) => title === name)
  if (sheet) return sheet
  throw new ConnectorError('configuration', `The spreadsheet has no sheet called ${name || '(no name)'}.`, {
    advice: `Choose ${joinWithOr(sheets.map(({ title }) => title))}.`,
    field: 'sheet.name',
  })
}

function getHeaderRow({ query }: ReadRequest): number {
  const row = query['sheet']?.['header_row']
  return typeof row === 'number' && row >= 1 ? row : 1
}

async function* readRowRanges(
  context: ConnectorContext,
  sheet: Sheet,
  { from, most }: { from: number; most?: number | undefined },
): AsyncGenerator<RowRange> {
  const step = Math.min(Math.max(100, Math.floor(CELLS_A_REQUEST / Math.max(1, sheet.columns))), (most ?? Infinity) + 1)
  const last = most === undefined ? sheet.rows : Math.min(sheet.rows, from + most)
  for (let start = from; start <= last; start += step) {
    const rows = await readRows(context, sheet, { from: start, to: Math.min(start + step - 1, last) })
    yield { from: start, rows }
  }
}

async function inspectSheet(
  context: ConnectorContext,
  sheet: Sheet,
  { header, most }: { header: number; most: number | undefined },
): Promise<SheetSummary> {
  const kinds = createKindDetector()
  const hash = runningHash()
  let keptRowRanges: RowRange[] | null = []
  let cells = 0
  let names: readonly Cell[] = []
  for await (const range of readRowRanges(context, sheet, { from: header, most })) {
    const isFirst = range.from === header
    if (isFirst) names = isSheetRow(range.rows[0]) ? range.rows[0] : []
    const rows = range.rows.filter((row) => isSheetRow(row))
    for (const row of isFirst ? rows.slice(1) : rows) kinds.observe(row)
    await hash.add(JSON.stringify(range.rows))
    cells += rows.reduce((sum, row) => sum + row.length, 0)
    keptRowRanges = keptRowRanges && cells <= CELLS_KEPT ? [...keptRowRanges, range] : null
  }
  if (names.length === 0 && kinds.width() === 0) {
    throw new ConnectorError('configuration', `Row ${header} of the sheet ${sheet.title} is empty.`, {
      advice: 'Write the names of the columns into it, or name the row that holds them.',
      field: 'sheet.header_row',
    })
  }
  const texts = toColumnNames(names, kinds.width())
  return { names: texts, fields: toFields(texts, kinds.kindAt), hash: hash.text(), kept: keptRowRanges }
}

interface SheetLayout {
  readonly sheet: Sheet
  readonly header: number
  readonly summary: SheetSummary
}

async function* toBatches(
  context: ConnectorContext,
  wholeSheetLayout: SheetLayout,
  { state, limit }: ReadRequest,
): AsyncGenerator<RowBatch> {
  const { sheet, header, summary } = wholeSheetLayout
  const isSame = state?.['hash'] === summary.hash
  const at = state?.['row']
  if (at !== undefined && !isSame) throw new SourceChanged(`The sheet ${sheet.title}`)
  const start = isSame && typeof at === 'number' ? at : header + 1
  const isDone = isSame && at === undefined
  if (isDone) context.log('INFO', `The sheet ${sheet.title} has not changed.`)
  const ranges = summary.kept ?? (isDone ? [] : readRowRanges(context, sheet, { from: header, most: limit }))
  for await (const range of isDone ? [] : ranges) {
    context.signal.throwIfAborted()
    const next = range.from + range.rows.length
    if (next <= start) continue
    const found = cutRowsToRange(range, { start, fields: summary.fields })
    if (found.rows.length + found.rejected.length > 0)
      yield { kind: 'rows', ...found, state: { hash: summary.hash, row: next } satisfies ReadState }
  }
  context.signal.throwIfAborted()
  yield { kind: 'rows', rows: [], state: { hash: summary.hash } }
}

interface RowsFound {
  readonly rows: Value[][]
  readonly rejected: RejectedRecord[]
}

function cutRowsToRange(
  { from, rows }: RowRange,
  { start, fields }: { start: number; fields: readonly Field[] },
): RowsFound {
  const found: RowsFound = { rows: [], rejected: [] }
  for (const [index, row] of rows.entries()) {
    const number = from + index
    if (number < start) continue
    if (!isSheetRow(row)) {
      found.rejected.push(rejectRecord(row, { line: number, reason: 'The row is not a list of values.' }))
      continue
    }
    if (isEmptyRow(row)) continue
    const values = toValues(row, number, fields)
    if (!values) {
      throw new ConnectorError('transient', 'The sheet was changed while it was read.', {
        advice: 'It is read again automatically.',
      })
    }
    found.rows.push(values)
  }
  return found
}

/** Chained digests, so that the sheet need not be in memory at once. */
function runningHash() {
  let last = ''
  return {
    async add(text: string) {
      const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(`${last}\n${text}`))
      last = Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('')
    },
    text: () => last,
  }
}
