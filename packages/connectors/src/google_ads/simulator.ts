import type { Simulator } from '@trellis/connector-kit/connector'
import { getSimulatorTime } from '@trellis/connector-kit/simulate'
import { answerConsent } from '../shared/consent-simulator.ts'
import { getBearerAccess } from '../shared/consent-tokens.ts'
import { toDay } from '../shared/day-windows.ts'
import { buildGoogleError } from '../shared/google-answers.ts'
import { GOOGLE_CONSENT } from '../shared/google-consent.ts'
import { jsonAnswer } from '../shared/hash-values.ts'
import { isOneDay, getDateBounds } from './gaql/dates.ts'
import { checkGaql, formatProblem } from './gaql/validate-query.ts'
import type { Query } from './gaql/query.ts'
import { ACCOUNTS, ROOT } from './simulator-accounts.ts'
import type { SimulatedAccount } from './simulator-accounts.ts'
import { runQuery } from './simulator-query.ts'

/** Google Ads streams parts of up to 10,000 rows; smaller ones test the same with less data. */
const ROWS_A_PART = 500

export const simulator: Simulator = async (request, host) => {
  const consent = host === 'ads' ? null : await answerConsent(request, GOOGLE_CONSENT)
  if (consent) return consent
  const { pathname } = new URL(request.url)
  const refused = checkAccess(request)
  if (refused) return refused
  if (pathname.endsWith('/customers:listAccessibleCustomers'))
    return jsonAnswer({ resourceNames: [`customers/${ROOT}`] })
  const [, id] = /\/customers\/(\d+)\/googleAds:search(Stream)?$/.exec(pathname) ?? []
  if (id === undefined || request.method !== 'POST')
    return buildGoogleError(404, 'The requested URL was not found on this server.')
  const account = ACCOUNTS.find((simulatedAccount) => simulatedAccount.id === id)
  if (!account) return failureResponse(403, 'authorizationError.USER_PERMISSION_DENIED')
  const { query, validateOnly } = (await request.json()) as { query?: string; validateOnly?: boolean }
  const answer = answerQuery(query ?? '', account, toDay(getSimulatorTime(request)))
  return validateOnly && answer.ok ? jsonAnswer({}) : answer
}

function checkAccess(request: Request): Response | null {
  const access = getBearerAccess(request, getSimulatorTime(request))
  if (access.state !== 'good') return failureResponse(401, 'authenticationError.OAUTH_TOKEN_INVALID')
  const token = request.headers.get('developer-token') ?? ''
  if (token === '') return failureResponse(401, 'authenticationError.DEVELOPER_TOKEN_PARAMETER_MISSING')
  if (/^wrong/i.test(token)) return failureResponse(401, 'authenticationError.DEVELOPER_TOKEN_INVALID')
  if (/^test/i.test(token)) return failureResponse(403, 'authorizationError.DEVELOPER_TOKEN_NOT_APPROVED')
  if (/^exhausted/i.test(token)) return quotaExhaustedResponse()
  const login = request.headers.get('login-customer-id')
  if (login !== null && !ACCOUNTS.some(({ id, isManager }) => id === login && isManager)) {
    return failureResponse(403, 'authorizationError.USER_PERMISSION_DENIED')
  }
  return access.holder === 'stranger' ? failureResponse(403, 'authorizationError.USER_PERMISSION_DENIED') : null
}

function answerQuery(text: string, account: SimulatedAccount, today: string): Response {
  const { query, problems } = checkGaql(text)
  const [first] = problems
  if (!query || first)
    return failureResponse(400, 'queryError.UNEXPECTED_INPUT', first ? formatProblem(first) : 'The query is empty.')
  const missing = missingDates(query)
  if (missing) return failureResponse(400, 'queryError.EXPECTED_FILTERS_ON_DATE_RANGE', missing)
  const hasMetrics = query.select.some(({ name }) => name.startsWith('metrics.'))
  if (account.isManager && hasMetrics) return failureResponse(400, 'queryError.REQUESTED_METRICS_FOR_MANAGER')
  const rows = account.isManager && query.from.name !== 'customer_client' ? [] : runQuery(query, account, today)
  const names = [...query.select.map(({ name }) => name), `${query.from.name}.resource_name`]
  const results = rows.map((row) => toNestedRow(row, names))
  const fieldMask = query.select.map(({ name }) => toCamelCase(name)).join(',')
  const parts = []
  for (let start = 0; start < results.length; start += ROWS_A_PART) {
    parts.push({ results: results.slice(start, start + ROWS_A_PART), fieldMask, requestId: `simulated-${start}` })
  }
  return jsonAnswer(parts)
}

function missingDates(query: Query): string | null {
  if (query.from.name === 'click_view' && !isOneDay(query)) return 'Queries on click_view must filter on a single day.'
  const hasDay = query.select.some(({ name }) => name === 'segments.date')
  return hasDay && getDateBounds(query) === 'none'
    ? 'Core date segments in SELECT need a finite range of dates in WHERE.'
    : null
}

const toCamelCase = (name: string) => name.replaceAll(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())

function toNestedRow(row: Record<string, unknown>, names: readonly string[]): Record<string, unknown> {
  const whole: Record<string, unknown> = {}
  for (const name of names) {
    const parts = name.split('.').map(toCamelCase)
    const last = parts.pop() ?? ''
    let inner = whole
    for (const part of parts) inner = (inner[part] ??= {}) as Record<string, unknown>
    if (row[name] !== undefined) inner[last] = row[name]
  }
  return whole
}

function failureResponse(code: number, reason: string, message = reason): Response {
  const [group = '', name = ''] = reason.split('.')
  const detail = {
    '@type': 'type.googleapis.com/google.ads.googleads.v23.errors.GoogleAdsFailure',
    errors: [{ errorCode: { [group]: name }, message }],
    requestId: 'simulated',
  }
  return buildGoogleError(code, 'Request contains an invalid argument or is not allowed.', [detail])
}

function quotaExhaustedResponse(): Response {
  return buildGoogleError(429, 'The daily quota of operations is used up.', [
    { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '43200s' },
  ])
}
