import { buildGoogleError } from '../shared/google-answers.ts'
import { jsonAnswer } from '../shared/hash-values.ts'
import type { Cell } from './api.ts'

interface StoredSheet {
  id: number
  title: string
  rowCount: number
  columnCount: number
  cells: Cell[][]
}

export interface SheetStore {
  readonly title: string
  sheets: StoredSheet[]
  marks: { key: string; value: string }[]
  /** A stateless simulator: accepts the ids of sheets that an earlier request created. */
  readonly isForgetful: boolean
}

type Loose = Record<string, unknown>
type SheetChange = Record<string, Loose>

const invalidArgumentResponse = (message: string) => buildGoogleError(400, message)

export async function answerSheets(request: Request, store: SheetStore): Promise<Response> {
  const { pathname } = new URL(request.url)
  const [, rest = ''] = /^\/v4\/spreadsheets\/[\w-]+(.*)$/.exec(decodeURIComponent(pathname)) ?? []
  if (rest === '') return jsonAnswer(toProperties(store))
  if (rest === ':batchUpdate')
    return batchUpdate(store, ((await request.json()) as { requests: SheetChange[] }).requests)
  if (rest === '/developerMetadata:search') return searchMarks(store, (await request.json()) as Loose)
  const range = /^\/values\/'((?:[^']|'')*)'!A(\d+):([A-Z]+)(\d+)$/.exec(rest)
  if (!range) return buildGoogleError(404, 'Requested entity was not found.')
  const [, quoted = '', from = '', letters = '', to = ''] = range
  const sheet = findSheetBy(store, (item) => item.title === quoted.replaceAll("''", "'"))
  if (!sheet) return invalidArgumentResponse(`Unable to parse range: ${rest.slice('/values/'.length)}`)
  const place = { from: Number(from), to: Number(to), columns: columnNumber(letters) }
  if (!store.isForgetful && (place.to > sheet.rowCount || place.columns > sheet.columnCount))
    return invalidArgumentResponse('Range exceeds grid limits.')
  return request.method === 'PUT'
    ? putValues(sheet, place, (await request.json()) as { values: (Cell | null)[][] })
    : getValues(sheet, place)
}

const toProperties = ({ title, sheets }: SheetStore) => ({
  properties: { title },
  sheets: sheets.map(({ id, title: name, rowCount, columnCount }) => ({
    properties: { sheetId: id, title: name, gridProperties: { rowCount, columnCount } },
  })),
})

const columnNumber = (letters: string) => [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0)

function findSheetBy(store: SheetStore, isMeant: (sheet: StoredSheet) => boolean): StoredSheet | undefined {
  const foundSheet = store.sheets.find(isMeant)
  return (
    foundSheet ?? (store.isForgetful ? { id: 0, title: '', rowCount: 1e6, columnCount: 1000, cells: [] } : undefined)
  )
}

interface CellRange {
  readonly from: number
  readonly to: number
  readonly columns: number
}

function getValues({ cells }: StoredSheet, { from, to, columns }: CellRange): Response {
  const rows = cells.slice(from - 1, to).map((row) => trimRow(row.slice(0, columns)))
  while (rows.at(-1)?.length === 0) rows.pop()
  return jsonAnswer(rows.length === 0 ? { majorDimension: 'ROWS' } : { majorDimension: 'ROWS', values: rows })
}

function trimRow(row: readonly (Cell | undefined)[]): Cell[] {
  const cells = Array.from(row, (cell) => cell ?? '')
  while (cells.at(-1) === '') cells.pop()
  return cells
}

function putValues({ cells }: StoredSheet, { from }: CellRange, { values }: { values: (Cell | null)[][] }): Response {
  for (const [index, row] of values.entries()) {
    const before = cells[from - 1 + index] ?? []
    cells[from - 1 + index] = row.map((cell, column) => cell ?? before[column] ?? '')
  }
  return jsonAnswer({ updatedRows: values.length })
}

function searchMarks({ marks }: SheetStore, { dataFilters }: Loose): Response {
  const [filter] = dataFilters as { developerMetadataLookup: { metadataKey: string } }[]
  const found = marks.filter(({ key }) => key === filter?.developerMetadataLookup.metadataKey)
  return jsonAnswer({
    matchedDeveloperMetadata: found.map(({ key, value }) => ({
      developerMetadata: { metadataKey: key, metadataValue: value },
    })),
  })
}

/** Atomic: a copy is changed and replaces the store at the end. */
function batchUpdate(store: SheetStore, requests: readonly SheetChange[]): Response {
  const draft: SheetStore = structuredClone(store)
  for (const request of requests) {
    const [kind = '', body = {}] = Object.entries(request)[0] ?? []
    const apply = CHANGES[kind]
    const problem = apply ? apply(draft, body) : `Unknown request ${kind}`
    if (problem) return invalidArgumentResponse(`Invalid requests: ${problem}`)
  }
  store.sheets = draft.sheets
  store.marks = draft.marks
  return jsonAnswer({ replies: requests.map(() => ({})) })
}

type Change = (store: SheetStore, body: Loose) => string | undefined
interface Grid {
  rowCount: number
  columnCount: number
}
interface Area {
  sheetId: number
  startRowIndex: number
  endRowIndex: number
  endColumnIndex: number
}

const byId = (store: SheetStore, id: unknown) => findSheetBy(store, (sheet) => sheet.id === id)

const CHANGES: Readonly<Record<string, Change>> = {
  addSheet(store, body) {
    const { sheetId, title, gridProperties } = body['properties'] as {
      sheetId: number
      title: string
      gridProperties: Grid
    }
    if (store.sheets.some((sheet) => sheet.title === title)) return `A sheet with the name "${title}" already exists.`
    store.sheets.push({ id: sheetId, title, ...gridProperties, cells: [] })
    return undefined
  },
  deleteSheet(store, { sheetId }) {
    const before = store.sheets.length
    store.sheets = store.sheets.filter((sheet) => sheet.id !== sheetId)
    return store.sheets.length === before && !store.isForgetful ? `No grid with id: ${String(sheetId)}` : undefined
  },
  updateSheetProperties(store, body) {
    const { sheetId, gridProperties } = body['properties'] as { sheetId: number; gridProperties: Grid }
    const sheet = byId(store, sheetId)
    if (!sheet) return `No grid with id: ${sheetId}`
    Object.assign(sheet, gridProperties)
    sheet.cells.length = Math.min(sheet.cells.length, gridProperties.rowCount)
    return undefined
  },
  updateCells(store, body) {
    const { sheetId } = (body['start'] ?? body['range']) as Area
    const sheet = byId(store, sheetId)
    if (!sheet) return `No grid with id: ${sheetId}`
    const [row] = (body['rows'] ?? []) as { values: { userEnteredValue: { stringValue: string } }[] }[]
    if (row) sheet.cells[0] = row.values.map(({ userEnteredValue }) => userEnteredValue.stringValue)
    else sheet.cells = []
    return undefined
  },
  copyPaste(store, body) {
    const [source, destination] = [body['source'] as Area, body['destination'] as Area]
    const [from, to] = [byId(store, source.sheetId), byId(store, destination.sheetId)]
    if (!from || !to) return 'No grid with this id.'
    if (!store.isForgetful && destination.endRowIndex > to.rowCount) return 'Destination exceeds grid limits.'
    for (let index = 0; index < source.endRowIndex - source.startRowIndex; index += 1) {
      to.cells[destination.startRowIndex + index] = [...(from.cells[source.startRowIndex + index] ?? [])].slice(
        0,
        source.endColumnIndex,
      )
    }
    return undefined
  },
  deleteDeveloperMetadata(store, body) {
    const { developerMetadataLookup } = body['dataFilter'] as { developerMetadataLookup: { metadataKey: string } }
    store.marks = store.marks.filter(({ key }) => key !== developerMetadataLookup.metadataKey)
    return undefined
  },
  createDeveloperMetadata(store, body) {
    const { metadataKey, metadataValue } = body['developerMetadata'] as { metadataKey: string; metadataValue: string }
    store.marks.push({ key: metadataKey, value: metadataValue })
    return undefined
  },
}
