import type { Simulator } from '@trellis/connector-kit/connector'
import { getSimulatorTime } from '@trellis/connector-kit/simulate'
import { answerConsent } from '../shared/consent-simulator.ts'
import { addDays } from '../shared/day-windows.ts'
import { buildGoogleError, refuseAccess } from '../shared/google-answers.ts'
import { GOOGLE_CONSENT } from '../shared/google-consent.ts'
import { hashToInteger } from '../shared/hash-values.ts'
import type { Cell } from './api.ts'
import { answerSheets } from './simulator-store.ts'
import type { SheetStore } from './simulator-store.ts'

const ORDERS = 1800
const CITIES = ['Graz', 'Lyon', 'Leeds', 'Turin']

function createOrderCells(): Cell[][] {
  const rows = Array.from({ length: ORDERS }, (_, index): Cell[] => {
    const number = index + 1
    return [
      number,
      addDays('2026-01-01', Math.floor(index / 6)),
      CITIES[hashToInteger(0, CITIES.length - 1, 'city', number)] ?? '',
      hashToInteger(500, 30_000, 'amount', number) / 100,
      hashToInteger(0, 3, 'paid', number) > 0,
      number % 50 === 0 ? 'call first' : '',
    ]
  })
  return [['order', 'day', 'city', 'amount', 'paid', 'note'], ...rows]
}

/** Created per request: writes are accepted and forgotten. */
export function createSampleStore(isForgetful: boolean): SheetStore {
  return {
    title: 'Sample orders',
    sheets: [
      { id: 0, title: 'Orders', rowCount: ORDERS + 200, columnCount: 26, cells: createOrderCells() },
      {
        id: 7,
        title: "Shop's prices",
        rowCount: 100,
        columnCount: 10,
        cells: [
          ['prices of the year'],
          ['article', 'price', 'price', ''],
          ['coat', 120, 99.5, 'sale'],
          ['', '', '', ''],
          ['boots', 80, 'ask', ''],
        ],
      },
      { id: 8, title: 'Empty', rowCount: 1000, columnCount: 26, cells: [] },
    ],
    marks: [],
    isForgetful,
  }
}

export async function refuseRequest(request: Request, host: string): Promise<Response | null> {
  const consent = host === 'sheets' ? null : await answerConsent(request, GOOGLE_CONSENT)
  if (consent) return consent
  const { pathname } = new URL(request.url)
  const [, id = ''] = /^\/v4\/spreadsheets\/([\w-]+)/.exec(pathname) ?? []
  if (id === '' || id.startsWith('missing')) return buildGoogleError(404, 'Requested entity was not found.')
  if (id.startsWith('disabled')) {
    return buildGoogleError(403, 'Google Sheets API has not been used in project 1 before or it is disabled.', [
      { '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: 'SERVICE_DISABLED', domain: 'googleapis.com' },
    ])
  }
  const isWrite = request.method !== 'GET'
  if (isWrite && id.startsWith('readonly')) return buildGoogleError(403, 'The caller does not have permission.')
  return refuseAccess(request, getSimulatorTime(request), 'spreadsheet')
}

export const simulator: Simulator = async (request, host) =>
  (await refuseRequest(request, host)) ?? answerSheets(request, createSampleStore(true))
