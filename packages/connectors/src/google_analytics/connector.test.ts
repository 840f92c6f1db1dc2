import { ConnectorError } from '@trellis/connector-kit/connector-error'
import type { Simulator } from '@trellis/connector-kit/connector'
import { testConformance } from '@trellis/connector-kit/testing/conformance'
import { readAll } from '@trellis/connector-kit/testing/read-all'
import { createTestContext } from '@trellis/connector-kit/testing/test-context'
import type { TestContextOptions } from '@trellis/connector-kit/testing/test-context'
import { describe, expect, it } from 'vitest'
import { googleAnalytics } from './connector.ts'
import { simulator } from './simulator.ts'

const range = { dataTimeframe: 'startingDate', startDate: '2026-06-01', endDate: null }
const day = { dimension: 'date', actionEvent: '' }
const of = (dimension: string, actionEvent = '') => ({ dimension, actionEvent })
const report = (extra: Record<string, unknown> = {}, property = '300000001') => ({
  property: { property },
  report: {
    dimensions: [day, of('sessionSource')],
    metrics: ['sessions', 'bounceRate', 'totalRevenue'],
    goals: [{ goalEvent: 'purchase' }],
    ...extra,
  },
  dates: { range },
})

const findRecords = (body: unknown) => (body as { rows?: unknown[] }).rows

testConformance(googleAnalytics, [
  { name: 'sources and goals by day', values: {}, query: report(), minBatches: 4, findRecords },
  { name: 'only days', values: {}, query: report({ dimensions: [day], goals: [] }) },
])

const createContext = (options: TestContextOptions = {}) => createTestContext({ simulator, ...options })
const catchFailure = async (
  query: ReturnType<typeof report>,
  options: TestContextOptions = {},
): Promise<ConnectorError> => {
  const error = await readAll(googleAnalytics, createContext(options), { query }).catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(ConnectorError)
  return error as ConnectorError
}
const listReports = (context: ReturnType<typeof createTestContext>) =>
  context.requests
    .filter(({ url }) => url.endsWith(':runReport'))
    .map(({ body }) => JSON.parse(body ?? '{}') as Record<string, unknown>)

describe('reading', () => {
  it('asks page after page by offset, in one order', async () => {
    const context = createContext()
    const { rows, fields, key } = await readAll(googleAnalytics, context, { query: report() })
    expect(fields.map(({ name, type }) => `${name} ${type}`)).toEqual([
      'property integer',
      'date date',
      'session_source text',
      'sessions integer',
      'bounce_rate float',
      'total_revenue float',
      'goal_purchase float',
    ])
    expect(key).toEqual(['property', 'date', 'session_source'])
    expect(rows).toHaveLength(163 * 3)
    const first = listReports(context)
    expect(first.map(({ offset }) => offset)).toEqual(['0', '200', '0', '200'].slice(0, first.length))
    expect(first[0]).toMatchObject({
      limit: '100000',
      dateRanges: [{ startDate: '2026-06-01', endDate: '2026-08-29' }],
      orderBys: [{ dimension: { dimensionName: 'date' } }, { dimension: { dimensionName: 'sessionSource' } }],
    })
  })

  it('asks for fewer rows when an answer is too large', async () => {
    const limited: Simulator = async (request, host) => {
      const body = await request.clone().text()
      const { limit = '0' } = (body === '' ? {} : JSON.parse(body)) as { limit?: string }
      if (Number(limit) <= 7000) return simulator(request, host)
      const start = (controller: ReadableStreamDefaultController) =>
        controller.error(Object.assign(new Error('too large'), { code: 'too_large' }))
      return new Response(new ReadableStream({ start }))
    }
    const context = createContext({ simulator: limited })
    const { rows } = await readAll(googleAnalytics, context, { query: report() })
    expect(rows).toEqual((await readAll(googleAnalytics, createContext(), { query: report() })).rows)
    expect(
      listReports(context)
        .slice(0, 5)
        .map(({ limit }) => limit),
    ).toEqual(['100000', '50000', '25000', '12500', '6250'])
  })

  it('reads the last two days again', async () => {
    const first = await readAll(googleAnalytics, createContext(), { query: report() })
    const context = createContext({ now: new Date('2026-11-11T12:00:00Z') })
    await readAll(googleAnalytics, context, {
      query: report(),
      ...(first.finalState ? { state: first.finalState } : {}),
    })
    expect(listReports(context)[0]).toMatchObject({ dateRanges: [{ startDate: '2026-11-08', endDate: '2026-11-11' }] })
  })

  it('counts only the events that are named beside dimensions', async () => {
    const context = createContext()
    await readAll(googleAnalytics, context, {
      query: report({ dimensions: [day, of('country', 'purchase'), of('city', 'add_to_cart')] }),
    })
    expect(listReports(context)[0]).toMatchObject({
      dimensionFilter: { filter: { fieldName: 'eventName', inListFilter: { values: ['purchase', 'add_to_cart'] } } },
    })
  })

  it('takes nine dimensions, a property’s own among them', async () => {
    const names = [
      'country',
      'city',
      'browser',
      'platform',
      'pagePath',
      'hostName',
      'language',
      'customEvent:shop_area',
    ]
    const { fields } = await readAll(googleAnalytics, createContext(), {
      query: report({ dimensions: [day, ...names.map((name) => of(name))] }),
      limit: 5,
    })
    expect(fields.map(({ name }) => name)).toContain('custom_event_shop_area')
  })
})

describe('what can be wrong', () => {
  it('names a property nobody chose, and too many metrics', async () => {
    expect(await catchFailure(report({}, ''))).toMatchObject({ field: 'property.property' })
    const metrics = [
      'sessions',
      'newUsers',
      'totalUsers',
      'activeUsers',
      'eventCount',
      'transactions',
      'checkouts',
      'addToCarts',
      'bounceRate',
      'keyEvents',
    ]
    expect((await catchFailure(report({ metrics }))).message).toContain(
      'at most 10 metrics at once; 10 metrics and 1 goals',
    )
  })

  it('tells a missing right from a wrong report', async () => {
    expect(await catchFailure(report({}, '300000005'))).toMatchObject({
      kind: 'configuration',
      field: 'property.property',
    })
    const error = await catchFailure(report({ dimensions: [day, of('itemName')] }))
    expect(error.message).toBe(
      'Google Analytics refused the report: Please remove sessions to make the request compatible.',
    )
  })

  it('waits for the next day when the tokens of a day are used up', async () => {
    const error = await catchFailure(report({}, '300000009'))
    expect(error).toMatchObject({ kind: 'rate_limited', retryAfterMs: 43_200_000 })
  })

  it('says in the check that nothing can be seen', async () => {
    await expect(googleAnalytics.check(createContext({ tokens: ['stranger'] }))).rejects.toMatchObject({
      field: 'consent.link',
    })
  })
})

describe('choices', () => {
  it('offers properties of all pages, dimensions and goals', async () => {
    const names = async (from: string, search = '') =>
      (await googleAnalytics.options?.(createContext(), from, search))?.map(({ value }) => value)
    expect(await names('properties')).toEqual(['300000001', '300000002'])
    expect(await names('properties', 'app')).toEqual(['300000002'])
    expect(await names('dimensions', 'shop area')).toEqual(['customEvent:shop_area'])
    expect((await names('goals'))?.slice(0, 3)).toEqual(['purchase', 'sign_up', 'generate_lead'])
    expect(await names('nothing')).toEqual([])
  })
})
