import { ConnectorError } from '@trellis/connector-kit/connector-error'
import type { Simulator } from '@trellis/connector-kit/connector'
import { testConformance } from '@trellis/connector-kit/testing/conformance'
import { readAll } from '@trellis/connector-kit/testing/read-all'
import { createTestContext } from '@trellis/connector-kit/testing/test-context'
import type { TestContextOptions } from '@trellis/connector-kit/testing/test-context'
import { describe, expect, it } from 'vitest'
import { jsonAnswer } from '../shared/hash-values.ts'
import { metaAds } from './connector.ts'
import { simulator } from './simulator.ts'

const range = { dataTimeframe: 'startingDate', startDate: '2026-09-20', endDate: null }
const report = (extra: Record<string, unknown> = {}, accounts = ['4000000001', '4000000002']) => ({
  report: {
    object: 'insights',
    level: 'campaign',
    metrics: ['impressions', 'spend', 'ctr', 'actions'],
    breakdowns: [],
    attribution: [],
    ...extra,
  },
  dates: { range },
  accounts: { accounts },
})
const recently = (query: ReturnType<typeof report>) => ({
  ...query,
  dates: { range: { ...range, startDate: '2026-10-24' } },
})
const expired = {
  status: 400,
  body: JSON.stringify({ error: { message: 'Session has expired', type: 'OAuthException', code: 190 } }),
}

/** Not the responses that list accounts. */
const findRecords = (body: unknown) => {
  const { data = [] } = body as { data?: { currency?: unknown }[] }
  return data[0]?.currency === undefined ? data : undefined
}

testConformance(metaAds, [
  { name: 'campaigns by day', values: {}, query: report(), minBatches: 8, expired, findRecords },
  {
    name: 'ads by age and day',
    values: {},
    query: recently(report({ level: 'ad', breakdowns: ['age'] }, ['4000000001'])),
    expired,
  },
  { name: 'ads', values: {}, query: report({ object: 'ads' }, []), minBatches: 3, expired, findRecords },
])

const createContext = (options: TestContextOptions = {}) => createTestContext({ simulator, ...options })
const catchFailure = async (
  query: ReturnType<typeof report>,
  options: TestContextOptions = {},
): Promise<ConnectorError> => {
  const error = await readAll(metaAds, createContext(options), { query }).catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(ConnectorError)
  return error as ConnectorError
}
type Seen = ReturnType<typeof createTestContext>['requests'][number]
const parseWindow = ({ body }: Seen) =>
  JSON.parse(new URLSearchParams(body).get('time_range') ?? '{}') as { since: string; until: string }
const listReports = ({ requests }: { requests: readonly Seen[] }) => requests.filter(({ method }) => method === 'POST')

describe('reading numbers', () => {
  it('makes a report, waits for it and reads its pages', async () => {
    const context = createContext()
    const { fields, key, cursor, rows } = await readAll(metaAds, context, {
      query: report({ level: 'adset', breakdowns: ['gender'] }, ['4000000001']),
    })
    expect(fields.map(({ name, type }) => `${name} ${type}`)).toEqual([
      'account_id text',
      'account_name text',
      'campaign_id text',
      'campaign_name text',
      'adset_id text',
      'adset_name text',
      'date_start date',
      'date_stop date',
      'gender text',
      'impressions integer',
      'spend decimal',
      'ctr decimal',
      'actions json',
    ])
    expect([key, cursor]).toEqual([['account_id', 'adset_id', 'date_start', 'gender'], 'date_start'])
    expect(rows).toHaveLength(52 * 12 * 2)
    expect(listReports(context).map(parseWindow)).toEqual([
      { since: '2026-09-20', until: '2026-10-03' },
      { since: '2026-10-04', until: '2026-10-17' },
      { since: '2026-10-18', until: '2026-10-31' },
      { since: '2026-11-01', until: '2026-11-10' },
    ])
    const [first] = listReports(context)
    expect(Object.fromEntries(new URLSearchParams(first?.body))).toMatchObject({
      level: 'adset',
      time_increment: '1',
      breakdowns: 'gender',
    })
  })

  it('asks again until a report is ready, ever more seldom', async () => {
    let asked = 0
    const slow: Simulator = async (request, host) => {
      if (!request.url.includes('async_status')) return simulator(request, host)
      asked += 1
      return asked % 4 === 0
        ? simulator(request, host)
        : jsonAnswer({ async_status: 'Job Running', async_percent_completion: asked })
    }
    const context = createContext({ simulator: slow })
    const whole = await readAll(metaAds, createContext(), { query: report() })
    expect((await readAll(metaAds, context, { query: report() })).rows).toEqual(whole.rows)
    const times = context.requests
      .filter(({ url }) => url.includes('async_status'))
      .slice(0, 4)
      .map(({ at }) => at)
    const waits = times.slice(1).map((at, index) => at - (times[index] ?? 0))
    expect(waits.map((wait) => Math.round(wait / 1000))).toEqual([2, 4, 8])
  })

  it('gives up on a report that is not ready after an hour', async () => {
    const never: Simulator = async (request, host) =>
      request.url.includes('async_status') ? jsonAnswer({ async_status: 'Job Running' }) : simulator(request, host)
    expect(await catchFailure(report(), { simulator: never })).toMatchObject({ kind: 'transient' })
  })

  it('reads too much data in halves, and slows down when the limit is near', async () => {
    const context = createContext()
    const { rows } = await readAll(metaAds, context, { query: report({}, ['4000000003']) })
    expect(rows).toHaveLength(52 * 4)
    const days = listReports(context)
      .map(parseWindow)
      .map(({ since, until }) => (Date.parse(until) - Date.parse(since)) / 86_400_000 + 1)
    expect(days.slice(0, 3)).toEqual([14, 7, 7])
    expect(context.logs.join('\n')).toContain("80 % of Meta's limit is used")
    const [first, last] = [context.requests[0]?.at ?? 0, context.requests.at(-1)?.at ?? 0]
    expect(last - first).toBeGreaterThan(60_000)
  })

  it('splits a single day by campaigns when the report still fails', async () => {
    const failing: Simulator = async (request, host) => {
      if (!request.url.includes('async_status')) return simulator(request, host)
      const run = JSON.parse(
        atob(decodeURIComponent(/run-([^?]+)/.exec(decodeURIComponent(request.url))?.[1] ?? '')),
      ) as { since: string; until: string; campaigns: string[] | null }
      const isSmall = run.since === run.until && run.campaigns !== null && run.campaigns.length <= 1
      return isSmall ? simulator(request, host) : jsonAnswer({ async_status: 'Job Failed' })
    }
    const query = { ...report({}, ['4000000001']), dates: { range: { ...range, startDate: '2026-11-09' } } }
    const whole = await readAll(metaAds, createContext(), { query })
    expect((await readAll(metaAds, createContext({ simulator: failing }), { query })).rows).toEqual(whole.rows)
    expect(
      (await catchFailure({ ...query, report: { ...query.report, level: 'account' } }, { simulator: failing })).message,
    ).toContain('single day 2026-11-09')
  })

  it('reads 28 days again', async () => {
    const first = await readAll(metaAds, createContext(), { query: report() })
    const context = createContext()
    await readAll(metaAds, context, { query: report(), ...(first.finalState ? { state: first.finalState } : {}) })
    const [again] = listReports(context)
    expect(again && parseWindow(again).since).toBe('2026-10-13')
  })
})

describe('reading campaigns, ad sets, ads and creatives', () => {
  it.each(['campaigns', 'adsets', 'ads', 'adcreatives'])('reads %s', async (object) => {
    const { rows, key } = await readAll(metaAds, createContext(), { query: report({ object }, []) })
    expect(key).toEqual(['id'])
    expect(rows.length).toBeGreaterThanOrEqual(12)
  })
})

describe('what can be wrong', () => {
  it('tells apart a missing right, an account that is gone, and nothing to see', async () => {
    const noRight: Simulator = async (request, host) =>
      request.url.includes('adaccounts')
        ? simulator(request, host)
        : simulator(new Request(request, { headers: { authorization: 'Bearer stranger' } }), host)
    const all = [
      await catchFailure(report(), { simulator: noRight }),
      await catchFailure(report({}, ['4000000009'])),
      await catchFailure(report(), { tokens: ['stranger'] }),
      await catchFailure(report({ metrics: [] })),
    ]
    expect(new Set(all.map(({ message }) => message)).size).toBe(4)
    expect(all.map(({ field }) => field)).toEqual([
      'accounts.accounts',
      'accounts.accounts',
      'accounts.accounts',
      'report.metrics',
    ])
    await expect(metaAds.check(createContext({ tokens: ['stranger'] }))).rejects.toMatchObject({
      field: 'consent.link',
    })
  })

  it('waits as long as Meta says when the limit is used up', async () => {
    const usage = JSON.stringify({ '1': [{ call_count: 100, estimated_time_to_regain_access: 5 }] })
    let isRefused = false
    const busy: Simulator = async (request, host) => {
      if (isRefused || !request.url.includes('/insights')) return simulator(request, host)
      isRefused = true
      return jsonAnswer({ error: { code: 80_000, message: 'There have been too many calls' } }, 400, {
        'x-business-use-case-usage': usage,
      })
    }
    const context = createContext({ simulator: busy })
    await readAll(metaAds, context, { query: report({}, ['4000000001']) })
    const [refusedRequest, repeated] = listReports(context)
    expect((repeated?.at ?? 0) - (refusedRequest?.at ?? 0)).toBeGreaterThanOrEqual(300_000)
  })
})

describe('choices', () => {
  it('offers ad accounts', async () => {
    expect(await metaAds.options?.(createContext(), 'accounts', 'overseas')).toEqual([
      { value: '4000000003', label: 'Shop overseas', hint: '4000000003 · USD' },
    ])
  })
})
