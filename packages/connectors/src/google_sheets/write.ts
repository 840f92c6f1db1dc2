import type { Batch, Field, Value } from '@trellis/connector-kit/batch'
import type { WriteRequest, Writer } from '@trellis/connector-kit/connector'
import { ConnectorError } from '@trellis/connector-kit/connector-error'
import type { ConnectorContext } from '@trellis/connector-kit/context'
import { decodeRows } from '../shared/batch-rows.ts'
import type { Cell, Sheet } from './api.ts'
import { isSheetRow } from './columns.ts'
import { callSheets, toColumnLetters, toRangePath, readRows, readSpreadsheet } from './api.ts'
import { toText } from '../shared/list-texts.ts'

/** Rows go to a hidden staging sheet; one last atomic call changes the target. */
const STAGING = '_trellis_'
const MARK = 'trellis_load_'
const CELLS_A_REQUEST = 40_000

type Requests = readonly Record<string, unknown>[]

interface Load {
  readonly context: ConnectorContext
  readonly target: Sheet
  readonly staging: number
  readonly stagingTitle: string
  readonly header: readonly string[]
  readonly hasNewHeader: boolean
  /** Rows of the target that stay: with Append, up to its last row. */
  readonly existingRows: number
  readonly request: WriteRequest
}

/** If the response was lost, the retry is refused although the first call succeeded; so the state is read. */
async function ignoreIfDone(work: Promise<unknown>, isDone: () => Promise<boolean>): Promise<void> {
  try {
    await work
  } catch (error) {
    if (!(error instanceof ConnectorError) || error.kind !== 'configuration' || !(await isDone())) throw error
  }
}

const change = (context: ConnectorContext, requests: Requests) =>
  callSheets(context, { path: ':batchUpdate', method: 'POST', body: { requests } })

export async function open(context: ConnectorContext, request: WriteRequest): Promise<Writer> {
  const target = await getTargetSheet(context, toText(request.query['sheet']?.['name']).trim())
  const done = await findFinishedRows(context, target, request.loadId)
  if (done !== null)
    return { committedBatches: 0, write: async () => {}, finish: async () => ({ rows: done }), abandon: async () => {} }
  const load = await beginLoad(context, target, request)
  let rows = 0
  return {
    committedBatches: 0,
    async write(batch) {
      rows += await stageRows(load, batch, rows)
    },
    async finish() {
      await ignoreIfDone(
        finishWrite(load, rows),
        async () => (await findFinishedRows(context, target, request.loadId)) !== null,
      )
      return { rows }
    },
    async abandon() {
      const isGone = async () => !(await hasSheet(context, load.staging))
      await ignoreIfDone(change(context, [{ deleteSheet: { sheetId: load.staging } }]), isGone)
    },
  }
}

async function getTargetSheet(context: ConnectorContext, title: string): Promise<Sheet> {
  if (title === '' || title.startsWith(STAGING)) {
    throw new ConnectorError('configuration', 'The sheet to write to has no name that can be used.', {
      field: 'sheet.name',
    })
  }
  const foundSheet = (await readSpreadsheet(context)).sheets.find((sheet) => sheet.title === title)
  if (foundSheet) return foundSheet
  const sheetId = await computeSheetId(title)
  const properties = { sheetId, title, gridProperties: { rowCount: 1, columnCount: 1 } }
  await ignoreIfDone(change(context, [{ addSheet: { properties } }]), () => hasSheet(context, sheetId))
  return { id: sheetId, title, rows: 1, columns: 1 }
}

async function hasSheet(context: ConnectorContext, id: number): Promise<boolean> {
  return (await readSpreadsheet(context)).sheets.some((sheet) => sheet.id === id)
}

async function findFinishedRows(context: ConnectorContext, { id }: Sheet, loadId: string): Promise<number | null> {
  const lookup = { developerMetadataLookup: { metadataKey: `${MARK}${id}` } }
  const answer = (await callSheets(context, {
    path: '/developerMetadata:search',
    method: 'POST',
    body: { dataFilters: [lookup] },
  })) as {
    matchedDeveloperMetadata?: { developerMetadata?: { metadataValue?: string } }[]
  }
  const values = answer.matchedDeveloperMetadata?.map((item) => item.developerMetadata?.metadataValue ?? '') ?? []
  const found = values.find((value) => value.startsWith(`${loadId}:`))
  return found === undefined ? null : Number(found.slice(loadId.length + 1))
}

async function beginLoad(context: ConnectorContext, target: Sheet, request: WriteRequest): Promise<Load> {
  const names = request.fields.map(({ name }) => name)
  const isAppend = request.strategy === 'Append'
  const [first] = isAppend ? await readRows(context, target, { from: 1, to: 1 }) : []
  const presentHeader = isSheetRow(first) ? first.map(String) : []
  const header = [...presentHeader, ...names.filter((name) => !presentHeader.includes(name))]
  const existingRows = isAppend && presentHeader.length > 0 ? await findLastRow(context, target) : 0
  const stagingTitle = `${STAGING}${request.loadId}`
  const staging = await computeSheetId(stagingTitle)
  const { sheets } = await readSpreadsheet(context)
  const left = sheets.filter(({ title, id }) => title === stagingTitle || id === staging)
  const properties = {
    sheetId: staging,
    title: stagingTitle,
    hidden: true,
    gridProperties: { rowCount: 1, columnCount: Math.max(1, header.length) },
  }
  const requests = [...left.map(({ id }) => ({ deleteSheet: { sheetId: id } })), { addSheet: { properties } }]
  await ignoreIfDone(change(context, requests), () => hasSheet(context, staging))
  const hasNewHeader = header.length !== presentHeader.length
  return { context, target, staging, stagingTitle, header, hasNewHeader, existingRows, request }
}

const ROWS_PER_READ = 5000

async function findLastRow(context: ConnectorContext, sheet: Sheet): Promise<number> {
  for (let to = sheet.rows; to > 0; to -= ROWS_PER_READ) {
    const from = Math.max(1, to - ROWS_PER_READ + 1)
    const rows = await readRows(context, sheet, { from, to })
    if (rows.length > 0) return from + rows.length - 1
  }
  return 0
}

async function stageRows(
  { context, header, request, staging, stagingTitle }: Load,
  batch: Batch,
  before: number,
): Promise<number> {
  const rows = decodeRows(batch)
  const step = Math.max(1, Math.floor(CELLS_A_REQUEST / header.length))
  for (let start = 0; start < rows.length; start += step) {
    const some = rows.slice(start, start + step).map((row) => toCells(row, request.fields, header))
    const first = before + start + 1
    const last = first + some.length - 1
    await change(context, [
      {
        updateSheetProperties: {
          properties: { sheetId: staging, gridProperties: { rowCount: last, columnCount: header.length } },
          fields: 'gridProperties(rowCount,columnCount)',
        },
      },
    ])
    const range = toRangePath(stagingTitle, `A${first}:${toColumnLetters(header.length)}${last}`)
    // RAW: text that looks like a formula stays text.
    await callSheets(context, {
      path: `/values/${range}?valueInputOption=RAW`,
      method: 'PUT',
      body: { majorDimension: 'ROWS', values: some },
    })
  }
  return rows.length
}

function toCells(row: readonly Value[], fields: readonly Field[], header: readonly string[]): (Cell | null)[] {
  return header.map((name) => {
    const index = fields.findIndex((field) => field.name === name)
    // Null leaves a cell unchanged, which is empty in a new sheet.
    return index === -1 ? null : toCell(row[index] ?? null, fields[index]?.type)
  })
}

function toCell(value: Value, type: Field['type'] | undefined): Cell | null {
  if (typeof value !== 'string') return value
  const isNumber = type === 'integer' || type === 'decimal' || type === 'float'
  // Sheets keeps 15 digits: longer numbers stay text, so that nothing is rounded.
  return isNumber && /^-?\d{1,15}(\.\d+)?$/.test(value) && value.replaceAll(/\D/g, '').length <= 15
    ? Number(value)
    : value
}

/** One atomic call: size, header, rows, the load's mark, and removal of the staging sheet. */
async function finishWrite(
  { context, target, staging, header, hasNewHeader, existingRows, request }: Load,
  rows: number,
): Promise<void> {
  const sheetId = target.id
  const start = Math.max(1, existingRows)
  const columns = Math.max(header.length, target.columns)
  const rowCount = request.strategy === 'Append' ? Math.max(target.rows, start + rows) : start + rows
  const key = `${MARK}${sheetId}`
  const grid = {
    properties: { sheetId, gridProperties: { rowCount, columnCount: columns } },
    fields: 'gridProperties(rowCount,columnCount)',
  }
  const paste = {
    source: {
      sheetId: staging,
      startRowIndex: 0,
      endRowIndex: rows,
      startColumnIndex: 0,
      endColumnIndex: header.length,
    },
    destination: {
      sheetId,
      startRowIndex: start,
      endRowIndex: start + rows,
      startColumnIndex: 0,
      endColumnIndex: header.length,
    },
    pasteType: 'PASTE_VALUES',
  }
  const names = header.map((stringValue) => ({ userEnteredValue: { stringValue } }))
  await change(context, [
    { updateSheetProperties: grid },
    ...(request.strategy === 'Replace' ? [{ updateCells: { range: { sheetId }, fields: 'userEnteredValue' } }] : []),
    ...(hasNewHeader
      ? [
          {
            updateCells: {
              rows: [{ values: names }],
              fields: 'userEnteredValue',
              start: { sheetId, rowIndex: 0, columnIndex: 0 },
            },
          },
        ]
      : []),
    ...(rows > 0 ? [{ copyPaste: paste }] : []),
    { deleteSheet: { sheetId: staging } },
    { deleteDeveloperMetadata: { dataFilter: { developerMetadataLookup: { metadataKey: key } } } },
    {
      createDeveloperMetadata: {
        developerMetadata: {
          metadataKey: key,
          metadataValue: `${request.loadId}:${rows}`,
          location: { spreadsheet: true },
          visibility: 'DOCUMENT',
        },
      },
    },
  ])
}

/** Deterministic sheet id: 30 bits of the title's digest, so that every attempt uses the same. */
async function computeSheetId(title: string): Promise<number> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(title)))
  return digest.slice(0, 4).reduce((sum, byte) => sum * 256 + byte, 0) % 2 ** 30
}
