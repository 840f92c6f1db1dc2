import { describe, expect, test } from 'vitest'
import { ConnectorError } from '../connector-error.ts'
import { type Connector, type Simulator, defineConnector } from '../connector.ts'
import { call } from '../http/call.ts'
import { toSimulatorUrl, getSimulatorTime } from '../simulate.ts'
import { testConformance } from './conformance.ts'
import { serveSimulator } from './local-host.ts'
import { readAll } from './read-all.ts'
import { createTestContext } from './test-context.ts'
import { findTypeMismatches, listRows } from './values.ts'

/** Grows by one note a day, in pages. */
const simulator: Simulator = async (request) => {
  if (request.headers.get('authorization') === null) return new Response('{"error":"who are you?"}', { status: 401 })
  const url = new URL(request.url)
  const since = url.searchParams.get('since') ?? ''
  const after = Number(url.searchParams.get('after') ?? 0)
  const days = Math.floor((getSimulatorTime(request).getTime() - Date.parse('2026-11-01')) / 86_400_000)
  const notes = Array.from({ length: days }, (_, index) => ({
    id: index + 1,
    day: new Date(Date.parse('2026-11-01') + index * 86_400_000).toISOString().slice(0, 10),
  })).filter(({ day }) => day >= since)
  const page = notes.slice(after, after + 4)
  const hasMore = after + 4 < notes.length
  const next = hasMore ? toSimulatorUrl(request, `${url.pathname}?since=${since}&after=${after + 4}`) : null
  return Response.json({ notes: page, next })
}

const rules = { platform: 'Notes', withToken: (token: string) => ({ authorization: `Bearer ${token}` }) }
const notes: Connector = defineConnector({
  code: 'notes',
  name: 'Notes',
  summary: 'Notes.',
  tags: ['source'],
  hosts: { api: 'https://notes.invalid', consent: 'https://consent.invalid' },
  oauth: {
    provider: 'Notes',
    authorize: { host: 'consent', path: '/' },
    token: { host: 'consent', path: '/t' },
    scopes: [],
  },
  setupForma: { forma_trellis_code: 'notes', title: 'Notes', sections: [] },
  async check(context) {
    const answer = await call(context, { url: `${context.getHost('api')}/notes` }, rules)
    return [{ label: 'Status', value: String(answer.status) }]
  },
  source: {
    queryFormas: [],
    buildQuery: () => ({}),
    async read(context, { state }) {
      const from = (state ?? {}) as { cursor?: string; seen?: string; url?: string }
      const start = from.cursor ?? ''
      return {
        fields: [
          { name: 'id', type: 'integer', isNullable: false },
          { name: 'day', type: 'date', isNullable: false },
        ],
        key: ['id'],
        cursor: 'day',
        batches: (async function* () {
          let seen = from.seen ?? start
          let url: string | null = from.url ?? `${context.getHost('api')}/notes?since=${start}`
          while (url !== null) {
            const answer = await call(context, { url }, rules)
            const page = answer.json() as { notes: { id: number; day: string }[]; next: string | null }
            seen = page.notes.at(-1)?.day ?? seen
            url = page.next
            const position = url === null ? { cursor: seen } : { cursor: start, seen, url }
            yield { kind: 'rows' as const, rows: page.notes.map(({ id, day }) => [id, day]), state: position }
          }
        })(),
      }
    },
  },
  simulator,
})

testConformance(notes, [{ name: 'notes', values: {}, query: {}, minBatches: 2 }])

describe('the kit sees what is wrong', () => {
  test('values that do not fit their field', () => {
    const fields = [
      { name: 'day', type: 'date', isNullable: false },
      { name: 'note', type: 'json', isNullable: true },
    ] as const
    expect(findTypeMismatches(fields, [['2026-11-10', null]])).toEqual([])
    expect(findTypeMismatches(fields, [['10.11.2026', 'not json']])).toHaveLength(2)
    expect(findTypeMismatches(fields, [[null, '{}']])).toEqual(['row 0, day: null is no date'])
    expect(findTypeMismatches(fields, [['2026-11-10']])).toHaveLength(1)
  })

  test('a read that never ends is named instead of waited for', async () => {
    const source = notes.source as NonNullable<Connector['source']>
    const endless: Connector = {
      ...notes,
      source: {
        ...source,
        read: async () => ({
          fields: [],
          key: [],
          cursor: null,
          batches: (async function* () {
            for (;;) yield { kind: 'rows' as const, rows: [] }
          })(),
        }),
      },
    }
    await expect(readAll(endless, createTestContext(), { query: {} })).rejects.toThrow('goes on after')
  })

  test('text of COPY as rows', () => {
    const bytes = new TextEncoder().encode('1\t\\N\na\\tb\tc\\\\d\n')
    expect(listRows({ kind: 'copy', bytes, rowCount: 2 })).toEqual([
      ['1', null],
      ['a\tb', 'c\\d'],
    ])
  })
})

test('the same simulator answers over real HTTP', async () => {
  const now = new Date('2026-11-10T12:00:00Z')
  const server = await serveSimulator(simulator, now)
  try {
    const real = createTestContext({ hosts: { api: server.toBaseUrl('api') }, now })
    const inside = createTestContext({ simulator, now })
    const [a, b] = [await readAll(notes, real, { query: {} }), await readAll(notes, inside, { query: {} })]
    expect(a.rows).toHaveLength(9)
    expect(a.rows).toEqual(b.rows)
    expect(real.requests).toHaveLength(3)
  } finally {
    await server.close()
  }
})

test('a long wait is left to the next attempt, and secrets stay out of messages', async () => {
  const answer = { kind: 'status', status: 429, headers: { 'retry-after': '7200' } } as const
  const context = createTestContext({ simulator, faults: [{ on: 'every', answer }] })
  const error = await call(context, { url: 'http://a.invalid/' }, { platform: 'A' }).catch((thrown: unknown) => thrown)
  expect(error).toMatchObject({ kind: 'rate_limited', retryAfterMs: 7_200_000 })
  expect(context.requests).toHaveLength(1)

  const said = { kind: 'status', status: 400, body: '{"message":"bad key s3cr3t+key"}' } as const
  const refusedTestContext = createTestContext({ simulator, faults: [{ on: 'every', answer: said }] })
  const rules = { platform: 'A', secrets: ['s3cr3t+key'] }
  const failed = call(refusedTestContext, { url: 'http://a.invalid/' }, rules)
  await expect(failed).rejects.toThrow(
    new ConnectorError('configuration', 'A refused the request (400). It said: bad key •••'),
  )
})
