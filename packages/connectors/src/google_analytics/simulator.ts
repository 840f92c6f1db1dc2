import type { Simulator } from '@trellis/connector-kit/connector'
import { getSimulatorTime } from '@trellis/connector-kit/simulate'
import { answerConsent } from '../shared/consent-simulator.ts'
import { getBearerAccess } from '../shared/consent-tokens.ts'
import { toDay, countDays, getEarlierDay, splitWindow } from '../shared/day-windows.ts'
import { buildGoogleError, refuseAccess } from '../shared/google-answers.ts'
import { GOOGLE_CONSENT } from '../shared/google-consent.ts'
import { hashToFraction, jsonAnswer, getKnownShare, hashToInteger } from '../shared/hash-values.ts'
import { KNOWN_DIMENSIONS, KNOWN_METRICS } from './catalogue.ts'

const PROPERTIES = [
  { id: '300000001', name: 'Shop website' },
  { id: '300000002', name: 'Shop app' },
]
const EXHAUSTED = '300000009'
const ROWS_AN_ANSWER = 200
const FINAL_AFTER_DAYS = 2
const KEY_EVENTS = ['purchase', 'sign_up', 'generate_lead']
const OWN_DIMENSION = { apiName: 'customEvent:shop_area', uiName: 'Shop area', customDefinition: true }

export const simulator: Simulator = async (request, host) => {
  if (host === 'accounts' || host === 'oauth') {
    return (await answerConsent(request, GOOGLE_CONSENT)) ?? buildGoogleError(404, 'Not found.')
  }
  const { pathname, searchParams } = new URL(request.url)
  if (host === 'admin' && pathname === '/v1beta/accountSummaries') return answerSummaries(request, searchParams)
  const refused = refuseAccess(request, getSimulatorTime(request), 'property')
  if (refused) return refused
  const [, id = '', rest = ''] = /^\/v1beta\/properties\/(\d+)(.*)$/.exec(pathname) ?? []
  if (id === EXHAUSTED)
    return buildGoogleError(429, 'Exhausted property tokens per day. These quota tokens will return in under 24 hours.')
  if (id !== '0' && !PROPERTIES.some((property) => property.id === id)) {
    return buildGoogleError(403, 'User does not have sufficient permissions for this property.')
  }
  if (rest === '/keyEvents') return jsonAnswer({ keyEvents: KEY_EVENTS.map((eventName) => ({ eventName })) })
  if (rest === '/metadata') return jsonAnswer(getMetadata())
  if (rest !== ':runReport' || request.method !== 'POST') return buildGoogleError(404, 'Not found.')
  return report(id, (await request.json()) as ReportRequest, toDay(getSimulatorTime(request)))
}

function answerSummaries(request: Request, asked: URLSearchParams): Response {
  const access = getBearerAccess(request, getSimulatorTime(request))
  if (access.state !== 'good') return refuseAccess(request, getSimulatorTime(request), 'account') as Response
  if (access.holder === 'stranger') return jsonAnswer({})
  const index = Number(asked.get('pageToken') ?? 0)
  const { id = '', name = '' } = PROPERTIES[index] ?? {}
  return jsonAnswer({
    accountSummaries: [
      {
        account: 'accounts/1',
        displayName: 'All shops',
        propertySummaries: [{ property: `properties/${id}`, displayName: name }],
      },
    ],
    ...(index + 1 < PROPERTIES.length ? { nextPageToken: String(index + 1) } : {}),
  })
}

const getMetadata = () => ({
  dimensions: [...KNOWN_DIMENSIONS.map(({ name, label }) => ({ apiName: name, uiName: label })), OWN_DIMENSION],
  metrics: KNOWN_METRICS.map(({ name, label, type }) => ({ apiName: name, uiName: label, type })),
})

interface ReportRequest {
  dimensions?: { name: string }[]
  metrics?: { name: string }[]
  dateRanges?: { startDate: string; endDate: string }[]
  dimensionFilter?: { filter?: { inListFilter?: { values?: string[] } } }
  limit?: string
  offset?: string
}

function report(property: string, reportRequest: ReportRequest, today: string): Response {
  const dimensions = reportRequest.dimensions?.map(({ name }) => name) ?? []
  const metrics = reportRequest.metrics?.map(({ name }) => name) ?? []
  const problem = findProblem(dimensions, metrics)
  if (problem) return buildGoogleError(400, problem)
  const { startDate = today, endDate = today } = reportRequest.dateRanges?.[0] ?? {}
  const days = splitWindow({ from: startDate, to: getEarlierDay(endDate, today) }, 1).map(({ from }) => from)
  const combinations = listCombinations(dimensions.filter((name) => name !== 'date'))
  const all = days.flatMap((day) => combinations.map((values) => ({ day, values })))
  const offset = Number(reportRequest.offset ?? 0)
  const shown = all.slice(offset, offset + Math.min(ROWS_AN_ANSWER, Number(reportRequest.limit ?? 10_000)))
  const events = reportRequest.dimensionFilter?.filter?.inListFilter?.values?.join(',') ?? ''
  const rows = shown.map(({ day, values }) => {
    const seed = [property, day, values.join('~'), events].join('|')
    const share = getKnownShare(countDays(day, today), FINAL_AFTER_DAYS)
    return {
      dimensionValues: [day.replaceAll('-', ''), ...values].map((value) => ({ value })),
      metricValues: metrics.map((name) => ({ value: simulateMetric(name, seed, share) })),
    }
  })
  const used = 1 + Math.floor(rows.length / 100)
  return jsonAnswer({
    dimensionHeaders: dimensions.map((name) => ({ name })),
    metricHeaders: metrics.map((name) => ({ name, type: getMetricType(name) })),
    rows,
    rowCount: all.length,
    propertyQuota: {
      tokensPerDay: { consumed: used, remaining: 200_000 - used },
      tokensPerHour: { consumed: used, remaining: 40_000 - used },
      concurrentRequests: { consumed: 0, remaining: 10 },
    },
    kind: 'analyticsData#runReport',
  })
}

const getMetricType = (metric: string) => KNOWN_METRICS.find(({ name }) => name === metric)?.type ?? 'TYPE_FLOAT'

function findProblem(dimensions: readonly string[], metrics: readonly string[]): string | null {
  if (dimensions.length > 9) return 'Requests are limited to 9 dimensions.'
  if (metrics.length > 10) return 'Requests are limited to 10 metrics.'
  const strange = dimensions.find(
    (name) =>
      name !== OWN_DIMENSION.apiName && !KNOWN_DIMENSIONS.some((knownDimension) => knownDimension.name === name),
  )
  if (strange) return `Field ${strange} is not a valid dimension.`
  const odd = metrics.find(
    (name) => !/^keyEvents:\w+$/.test(name) && !KNOWN_METRICS.some((knownMetric) => knownMetric.name === name),
  )
  if (odd) return `Field ${odd} is not a valid metric.`
  const isItem = dimensions.some((name) => name.startsWith('item'))
  const hasSessions = metrics.includes('sessions')
  return isItem && hasSessions ? 'Please remove sessions to make the request compatible.' : null
}

const VALUES: Readonly<Record<string, readonly string[]>> = {
  sessionSource: ['(direct)', 'google', 'newsletter'],
  sessionMedium: ['(none)', 'cpc', 'email'],
  country: ['Austria', 'France', 'Germany'],
  deviceCategory: ['desktop', 'mobile', 'tablet'],
  eventName: ['page_view', 'purchase', 'session_start'],
}

function listCombinations(names: readonly string[]): string[][] {
  return names.reduce<string[][]>(
    (combinations, name, index) => {
      const known = VALUES[name] ?? [`${name} 1`, `${name} 2`, `${name} 3`]
      const values = known.slice(0, [3, 3, 2][index] ?? 1)
      return combinations.flatMap((before) => values.map((value) => [...before, value]))
    },
    [[]],
  )
}

function simulateMetric(name: string, seed: string, share: number): string {
  const type = getMetricType(name)
  if (name.startsWith('keyEvents:')) return String(Math.floor(hashToInteger(0, 30, seed, name) * share))
  if (type === 'TYPE_INTEGER') return String(Math.floor(hashToInteger(5, 600, seed, name) * share))
  if (type === 'TYPE_CURRENCY') return ((hashToInteger(0, 90_000, seed, name) * share) / 100).toFixed(2)
  return hashToFraction(seed, name).toFixed(6)
}
