import { ConnectorError } from '@trellis/connector-kit/connector-error'
import type { Simulator } from '@trellis/connector-kit/connector'
import { testConformance } from '@trellis/connector-kit/testing/conformance'
import { readAll } from '@trellis/connector-kit/testing/read-all'
import { createTestContext } from '@trellis/connector-kit/testing/test-context'
import type { TestContextOptions } from '@trellis/connector-kit/testing/test-context'
import { describe, expect, it } from 'vitest'
import { googleAds } from './connector.ts'
import { resourceNames } from './gaql/catalogue.ts'
import { simulator } from './simulator.ts'

const values = { account: { developer_token: 'dev-token-abc', login_customer_id: '100-000-0001' } }
const dates = { range: { dataTimeframe: 'startingDate', startDate: '2026-09-20', endDate: null } }
const ask = (editor: string, customers: string[] = []) => ({ monacoGaql: { editor }, dates, accounts: { customers } })
const BY_DAY = 'SELECT campaign.id, campaign.name, segments.date, metrics.clicks, metrics.conversions FROM campaign'

const recently = (query: ReturnType<typeof ask>) => ({
  ...query,
  dates: { range: { ...dates.range, startDate: '2026-10-28' } },
})

/** Not the responses that list accounts. */
const findRecords = (body: unknown) => {
  const [{ results = [] } = {}] = Array.isArray(body) ? (body as { results?: { metrics?: unknown }[] }[]) : []
  return results[0]?.metrics === undefined ? undefined : results
}

testConformance(googleAds, [
  { name: 'campaigns by day', values, query: ask(BY_DAY, ['2000000001', '2000000002']), minBatches: 8, findRecords },
  {
    name: 'keywords by day and device',
    values,
    query: recently(
      ask(
        'SELECT ad_group_criterion.keyword.text, segments.date, segments.device, metrics.cost_micros, metrics.ctr FROM keyword_view WHERE metrics.clicks > 0',
        ['2000000001'],
      ),
    ),
  },
  {
    name: 'ad groups without numbers',
    values,
    query: ask('SELECT ad_group.id, ad_group.name, ad_group.labels FROM ad_group'),
    minBatches: 3,
  },
])

/** Fails like the product's size limit. */
const endless = () =>
  new Response(
    new ReadableStream({
      start: (controller) => controller.error(Object.assign(new Error('too large'), { code: 'too_large' })),
    }),
  )
const createContext = (options: TestContextOptions = {}) => createTestContext({ values, simulator, ...options })
const readWith = (editor: string, options: TestContextOptions = {}, customers: string[] = []) => {
  const context = createContext(options)
  return readAll(googleAds, context, { query: ask(editor, customers) }).then((read) => ({ ...read, context }))
}
const catchFailure = async (options: TestContextOptions, editor = BY_DAY): Promise<ConnectorError> => {
  const error = await readWith(editor, options).catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(ConnectorError)
  return error as ConnectorError
}
const listQueries = (context: ReturnType<typeof createTestContext>) =>
  context.requests.flatMap(({ body }) => (body === undefined ? [] : [(JSON.parse(body) as { query: string }).query]))

describe('reading', () => {
  it('walks all accounts below the manager and asks window by window', async () => {
    const { context, rows, fields } = await readWith(BY_DAY)
    const accounts = new Set(rows.map((row) => row[0]))
    expect(accounts).toEqual(new Set(['2000000001', '2000000002', '2000000003']))
    expect(fields.map(({ name }) => name)).toEqual([
      'customer_id',
      'campaign_id',
      'campaign_name',
      'segments_date',
      'metrics_clicks',
      'metrics_conversions',
      'campaign_resource_name',
    ])
    expect(context.requests.every(({ headers }) => headers['login-customer-id'] === '1000000001')).toBe(true)
    const windows = new Set(
      listQueries(context).flatMap((text) => /BETWEEN '(\S+)' AND '(\S+)'/.exec(text)?.slice(1).join(' ') ?? []),
    )
    expect([...windows]).toEqual([
      '2026-09-20 2026-10-03',
      '2026-10-04 2026-10-17',
      '2026-10-18 2026-10-31',
      '2026-11-01 2026-11-10',
    ])
  })

  it('begins again so many days back as conversions take, and sees what was restated', async () => {
    const first = await readWith(BY_DAY)
    const later = createContext({ now: new Date('2026-11-12T12:00:00Z') })
    const next = await readAll(googleAds, later, {
      query: ask(BY_DAY),
      ...(first.finalState ? { state: first.finalState } : {}),
    })
    const days = next.rows.map((row) => String(row[3])).toSorted()
    expect([days.at(0), days.at(-1)]).toEqual(['2026-10-27', '2026-11-12'])
    const valueOn = (rows: typeof next.rows) => rows.find((row) => row[3] === '2026-11-09' && row[0] === '2000000001')
    expect(valueOn(next.rows)).not.toEqual(valueOn(first.rows))
  })

  it('reads an account that came later from the beginning', async () => {
    const first = await readAll(googleAds, createContext(), { query: ask(BY_DAY, ['2000000001']) })
    const next = await readAll(googleAds, createContext(), {
      query: ask(BY_DAY),
      ...(first.finalState ? { state: first.finalState } : {}),
    })
    const firstDay = (account: string) =>
      next.rows
        .filter((row) => row[0] === account)
        .map((row) => String(row[3]))
        .toSorted()[0]
    expect(firstDay('2000000002')).toBe('2026-09-20')
    expect(firstDay('2000000001')).toBe('2026-10-18')
  })

  it('never asks for more than Google Ads keeps', async () => {
    const old = { range: { dataTimeframe: 'startingDate', startDate: '2021-12-01', endDate: null } }
    const context = createContext()
    await readAll(googleAds, context, { query: { ...ask(BY_DAY, ['2000000001']), dates: old } })
    expect(listQueries(context)[1]).toContain("BETWEEN '2023-10-10'")
  })

  it('reads clicks one day at a time, for ninety days at most', async () => {
    const { context, key, cursor } = await readWith('SELECT click_view.gclid FROM click_view', {}, ['2000000001'])
    expect(key).toEqual(['customer_id', 'segments_date', 'click_view_resource_name'])
    expect(cursor).toBe('segments_date')
    const days = listQueries(context).slice(1)
    expect(days).toHaveLength(52)
    expect(days[0]).toContain("BETWEEN '2026-09-20' AND '2026-09-20'")
  })

  it('reads an answer that is too large in halves of its days, and says so when it cannot', async () => {
    const limited: Simulator = async (request, host) => {
      const [, from = '', to = ''] = /BETWEEN '(\S+)' AND '(\S+)'/.exec(await request.clone().text()) ?? []
      return Date.parse(to) - Date.parse(from) > 4 * 86_400_000 ? endless() : simulator(request, host)
    }
    const whole = await readWith(BY_DAY, {}, ['2000000001'])
    const halved = await readWith(BY_DAY, { simulator: limited }, ['2000000001'])
    const sorted = (rows: typeof whole.rows) => rows.map((row) => JSON.stringify(row)).toSorted()
    expect(sorted(halved.rows)).toEqual(sorted(whole.rows))
    const summed = 'SELECT campaign.id, metrics.clicks FROM campaign'
    expect((await catchFailure({ simulator: limited }, summed)).advice).toContain('segments.date')
  })

  it('sends a query that names its own days as it is', async () => {
    const text =
      "SELECT campaign.id, metrics.clicks FROM campaign WHERE segments.date BETWEEN '2026-01-01' AND '2026-01-31'"
    const { context, cursor } = await readWith(text, {}, ['2000000001'])
    expect(cursor).toBeNull()
    expect(listQueries(context)[1]?.match(/segments\.date/g)).toHaveLength(1)
  })

  it('gives only the window of a backfill, without a state', async () => {
    const window = { from: '2026-01-01', to: '2026-01-20' }
    const { rows, batches } = await readAll(googleAds, createContext(), { query: ask(BY_DAY), window })
    const days = rows.map((row) => String(row[3])).toSorted()
    expect([days[0], days.at(-1)]).toEqual(['2026-01-01', '2026-01-20'])
    expect(batches.every(({ state }) => state === undefined)).toBe(true)
  })

  it.each(resourceNames.filter((name) => name !== 'change_event'))(
    'reads what the name %s stands for',
    async (name) => {
      const query = {
        ...googleAds.source?.buildQuery(name),
        dates,
        accounts: { customers: name === 'customer_client' ? [] : ['2000000001'] },
      }
      const { rows, fields } = await readAll(googleAds, createContext(), { query, limit: 5 })
      expect(fields.length).toBeGreaterThan(0)
      expect(rows.length).toBeGreaterThan(0)
    },
  )
})

describe('what can be wrong', () => {
  const withAccount = (account: Record<string, string>) => ({ values: { account: { ...values.account, ...account } } })

  it('names a query that is wrong by line and column', async () => {
    const error = await catchFailure({}, 'SELECT campaign.nam FROM campaign')
    expect(error).toMatchObject({ kind: 'configuration', field: 'monacoGaql.editor' })
    expect(error.message).toBe('Line 1, column 8: There is no field campaign.nam. Did you mean campaign.name?')
  })

  it('names the developer token when it is missing, wrong, or only for tests', async () => {
    const messages = []
    for (const token of ['', 'wrong-token', 'test-token']) {
      const error = await catchFailure(withAccount({ developer_token: token }))
      expect(error).toMatchObject({ kind: 'configuration', field: 'account.developer_token' })
      messages.push(error.message)
    }
    expect(new Set(messages).size).toBe(3)
  })

  it('says that a quota is used up, and does not wait half a day', async () => {
    const error = await catchFailure(withAccount({ developer_token: 'exhausted' }))
    expect(error).toMatchObject({ kind: 'rate_limited', retryAfterMs: 43_200_000 })
  })

  it('names the manager account when the person has no access', async () => {
    expect(await catchFailure(withAccount({ login_customer_id: '999-999-9999' }))).toMatchObject({
      field: 'account.login_customer_id',
    })
    expect((await catchFailure({ tokens: ['stranger'] })).message).toContain('no access to this Google Ads account')
  })

  it('asks to link again when consent was taken back', async () => {
    expect(await catchFailure({ tokens: ['expired-1', 'expired-2'] })).toMatchObject({ kind: 'configuration' })
  })

  it('names accounts that can no longer be reached', async () => {
    const error = await readWith(BY_DAY, {}, ['2000000009']).catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ field: 'accounts.customers' })
  })
})

describe('choices and the check', () => {
  it('offers accounts that hold campaigns, found by name or number', async () => {
    const choices = await googleAds.options?.(createContext(), 'accounts', 'south')
    expect(choices).toEqual([{ value: '2000000002', label: 'Shop south', hint: '2000000002 · EUR' }])
  })

  it('tells of the accounts that were found', async () => {
    expect(await googleAds.check(createContext())).toContainEqual({ label: 'Accounts', value: '3' })
  })

  it('asks Google Ads about a query that was judged right here, without running it', async () => {
    const context = createContext()
    expect(await googleAds.askAboutQuery?.(context, BY_DAY)).toMatchObject({
      did_succeed: true,
      message: expect.stringMatching(/by day\. Google Ads accepts it\.$/),
    })
    expect(JSON.parse(context.requests.at(-1)?.body ?? '{}')).toMatchObject({
      validateOnly: true,
      query: expect.stringContaining("BETWEEN '2026-11-09' AND '2026-11-09'"),
    })
    const refusing: Simulator = async (request, host) => {
      const asked = await request.clone().text()
      return simulator(
        asked.includes('validateOnly')
          ? new Request(request, { method: 'POST', body: asked.replace('metrics.clicks', 'metrics.nothing') })
          : request,
        host,
      )
    }
    expect(await googleAds.askAboutQuery?.(createContext({ simulator: refusing }), BY_DAY)).toMatchObject({
      did_succeed: false,
      message: expect.stringContaining('Google Ads refused the query: Line'),
    })
  })

  it('judges a query', () => {
    expect(googleAds.judgeQuery?.(BY_DAY)).toMatchObject({ did_succeed: true })
    expect(googleAds.judgeQuery?.('SELECT')).toMatchObject({ did_succeed: false })
  })
})
