import { ConnectorError } from '@trellis/connector-kit/connector-error'
import type { ConnectorContext } from '@trellis/connector-kit/context'
import { call } from '@trellis/connector-kit/http/call'
import type { Answer, Verdict } from '@trellis/connector-kit/http/verdict'
import type { FormaValues } from '@trellis/contract/formas/forma'
import { parseGoogleProblem, classifyGoogleAnswer } from '../shared/google-answers.ts'
import { toText } from '../shared/list-texts.ts'

/** The API allows 60 requests per minute and user. */
const BUDGET = { requests: 50, seconds: 60 }

export type Cell = string | number | boolean

export interface Sheet {
  readonly id: number
  readonly title: string
  readonly rows: number
  readonly columns: number
}

export interface Spreadsheet {
  readonly title: string
  readonly sheets: readonly Sheet[]
}

function parseSpreadsheetId({ spreadsheet }: FormaValues): string {
  const address = toText(spreadsheet?.['address']).trim()
  const [, inAddress] = /\/d\/([\w-]{5,})/.exec(address) ?? []
  const id = inAddress ?? (/^[\w-]{5,}$/.test(address) ? address : '')
  if (id !== '') return id
  throw new ConnectorError('configuration', 'The address of the spreadsheet is missing or is none.', {
    advice: 'Copy the whole address from the browser.',
    field: 'spreadsheet.address',
  })
}

function classifyAnswer(answer: Answer): Verdict | undefined {
  const problem = parseGoogleProblem(answer)
  const common = classifyGoogleAnswer(answer, 'Google Sheets API')
  if (common || !problem) return common
  if (problem.status === 'NOT_FOUND') {
    return {
      kind: 'configuration',
      message: 'Google has no spreadsheet at this address.',
      advice: 'Open the spreadsheet in the browser and copy its address again.',
      field: 'spreadsheet.address',
    }
  }
  if (problem.status === 'PERMISSION_DENIED') {
    return {
      kind: 'configuration',
      message: 'The person who consented may not open or change this spreadsheet.',
      advice: 'Share it with that person, as Editor when Trellis shall write to it.',
      field: 'spreadsheet.address',
    }
  }
  if (problem.status !== 'INVALID_ARGUMENT') return undefined
  if (/limit of \d+ cells/i.test(problem.message)) {
    return {
      kind: 'configuration',
      message: 'The spreadsheet would hold more than ten million cells, which Google Sheets does not allow.',
      advice: 'Write fewer rows, or delete sheets that are no longer needed.',
    }
  }
  return { kind: 'configuration', message: `Google Sheets refused: ${problem.message}`, field: 'sheet.name' }
}

interface SheetsRequest {
  readonly path: string
  readonly method?: 'GET' | 'POST' | 'PUT'
  readonly body?: unknown
}

export async function callSheets(
  context: ConnectorContext,
  { path, method = 'GET', body }: SheetsRequest,
): Promise<unknown> {
  const answer = await call(
    context,
    {
      url: `${context.getHost('sheets')}/v4/spreadsheets/${parseSpreadsheetId(context.values)}${path}`,
      method,
      headers: { accept: 'application/json', ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    },
    {
      platform: 'Google Sheets',
      judge: classifyAnswer,
      budget: BUDGET,
      withToken: (token) => ({ authorization: `Bearer ${token}` }),
      timeoutMs: 180_000,
    },
  )
  return answer.json()
}

interface Properties {
  properties?: { title?: string }
  sheets?: {
    properties: { sheetId?: number; title: string; gridProperties?: { rowCount?: number; columnCount?: number } }
  }[]
}

export async function readSpreadsheet(context: ConnectorContext): Promise<Spreadsheet> {
  const answer = (await callSheets(context, { path: '?fields=properties.title,sheets.properties' })) as Properties
  const sheets = (answer.sheets ?? [])
    .filter(({ properties }) => properties.gridProperties !== undefined)
    .map(({ properties: { sheetId = 0, title, gridProperties } }) => ({
      id: sheetId,
      title,
      rows: gridProperties?.rowCount ?? 0,
      columns: gridProperties?.columnCount ?? 0,
    }))
  return { title: answer.properties?.title ?? '', sheets }
}

export function toColumnLetters(count: number): string {
  let letters = ''
  for (let left = count; left > 0; left = Math.floor((left - 1) / 26))
    letters = String.fromCharCode(65 + ((left - 1) % 26)) + letters
  return letters
}

export const toRangePath = (title: string, cells: string): string =>
  encodeURIComponent(`'${title.replaceAll("'", "''")}'!${cells}`)

/** 1-based, both ends included. Google omits empty cells at the end of a row, and empty last rows. */
export async function readRows(
  context: ConnectorContext,
  { title, columns }: Sheet,
  rows: { from: number; to: number },
): Promise<unknown[]> {
  const range = toRangePath(title, `A${rows.from}:${toColumnLetters(columns)}${rows.to}`)
  const how = 'majorDimension=ROWS&valueRenderOption=UNFORMATTED_VALUE&dateTimeRenderOption=FORMATTED_STRING'
  const { values = [] } = (await callSheets(context, { path: `/values/${range}?${how}` })) as { values?: unknown[] }
  return values
}
