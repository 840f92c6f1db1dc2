import type { RestManifest, RestStream } from '@trellis/contract/integrations/rest-manifest'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Connector, type ReadRequest, type Simulator, defineConnector } from '../connector.ts'
import { toSimulatorUrl } from '../simulate.ts'
import { readAll } from '../testing/read-all.ts'
import { type TestContextOptions, createTestContext } from '../testing/test-context.ts'
import { createRestSource, buildStreamQuery } from './rest-source.ts'

const buildManifest = (streams: RestStream[], part: Partial<RestManifest> = {}): RestManifest => ({
  version: 1,
  base_url: '{{ host.api }}',
  inputs: [{ reference: 'key', label: 'Key', is_secret: true }],
  auth: { type: 'bearer', token: '{{ config.key }}' },
  streams,
  ...part,
})
const stream = (part: Partial<RestStream>): RestStream => ({
  name: 'things',
  request: { path: '/things' },
  records: 'items',
  key: ['id'],
  ...part,
})
function createConnector(manifest: RestManifest): Connector {
  return defineConnector({
    code: 'sample',
    name: 'Sample',
    summary: '',
    tags: ['source'],
    hosts: { api: '' },
    setupForma: { forma_trellis_code: 'sample', title: '', sections: [] },
    check: async () => [],
    source: createRestSource(manifest, { platform: 'Sample', queryFormas: [], config: () => ({ key: 's3cr3t' }) }),
  })
}
interface ReadOptions extends TestContextOptions {
  request?: Partial<ReadRequest>
  stream?: string
}
async function read(manifest: RestManifest, { request, stream: name = 'things', ...options }: ReadOptions) {
  const context = createTestContext(options)
  const whole = await readAll(createConnector(manifest), context, { query: buildStreamQuery(name), ...request })
  return { ...whole, context }
}
const listIds = ({ rows }: { rows: readonly (readonly unknown[])[] }) => rows.map(([id]) => id)

const things = Array.from({ length: 10 }, (_, index) => ({
  id: index + 1,
  name: `thing ${index + 1}`,
  day: new Date(Date.parse('2026-11-01') + index * 86_400_000).toISOString().slice(0, 10),
}))
const api: Simulator = async (request) => {
  const url = new URL(request.url)
  const requestedSearchParam = url.searchParams
  const [from, to] = [requestedSearchParam.get('from') ?? '', requestedSearchParam.get('to') ?? '9']
  const parts = /^\/things\/(\d+)\/parts$/.exec(url.pathname)
  if (parts) {
    const items = [1, 2].map((part) => ({ id: `${parts[1]}-${part}`, thing: Number(parts[1]) }))
    return Response.json({ items })
  }
  const start = Number(requestedSearchParam.get('after') ?? 0)
  const all = things.filter(({ day, id }) => day >= from && day <= to && id > start)
  const items = all.slice(0, 4)
  const next =
    all.length > 4
      ? toSimulatorUrl(request, `/things?after=${items.at(-1)?.id}&from=${from}&to=${to}&key=s3cr3t`)
      : null
  return Response.json({ items, next, more: all.length > 4 })
}

describe('reading', () => {
  test('pages by the last record, with fields found out and the key first told', async () => {
    const paginate = { type: 'cursor', token: 'last_record.id', parameter: 'after', has_more: 'more' } as const
    const whole = await read(buildManifest([stream({ paginate })]), { simulator: api })
    expect(listIds(whole)).toEqual(things.map(({ id }) => id))
    expect(whole.fields).toEqual([
      { name: 'id', type: 'integer', isNullable: false },
      { name: 'name', type: 'text', isNullable: true },
      { name: 'day', type: 'date', isNullable: true },
    ])
    expect(whole.context.requests[0]?.headers['authorization']).toBe('Bearer s3cr3t')
  })

  test('a field that only a later page has is found, and what was looked at is said', async () => {
    const late: Simulator = async (request) => {
      const page = Number(new URL(request.url).searchParams.get('page') ?? 1)
      const items = page > 12 ? [] : [{ id: page, ...(page === 9 && { note: 'late' }) }]
      return Response.json({ items })
    }
    const paginate = { type: 'page', parameter: 'page', size: 1 } as const
    const whole = await read(buildManifest([stream({ paginate })]), { simulator: late })
    expect(whole.fields.map(({ name }) => name)).toEqual(['id', 'note'])
    expect(whole.context.logs.join(' ')).toContain(
      '2 fields and their types were inferred from 12 records of 12 pages.',
    )
  })

  test('a next address is followed on its own host alone, and kept without secrets', async () => {
    const next = stream({ paginate: { type: 'next_url', url: 'next' } })
    const whole = await read(buildManifest([next]), { simulator: api })
    expect(listIds(whole)).toEqual(things.map(({ id }) => id))
    expect(JSON.stringify(whole.batches)).not.toContain('s3cr3t')
    const away: Simulator = async () => Response.json({ items: [{ id: 1 }], next: 'https://evil.invalid/things' })
    await expect(read(buildManifest([next]), { simulator: away })).rejects.toThrow('on another host, evil.invalid')
  })

  test('children of a parent, resumed after any batch', async () => {
    const parent = stream({ paginate: { type: 'next_url', url: 'next' } })
    const child = stream({
      name: 'parts',
      request: { path: '/things/{{ parent.id }}/parts' },
      partition: { type: 'parent', stream: 'things', field: 'id' },
    })
    const manifest = buildManifest([parent, child])
    const whole = await read(manifest, { simulator: api, stream: 'parts' })
    expect(listIds(whole)).toEqual(things.flatMap(({ id }) => [`${id}-1`, `${id}-2`]))
    for (const [index, { state }] of whole.batches.slice(0, -1).entries()) {
      const rest = await read(manifest, { simulator: api, stream: 'parts', request: { state: state ?? {} } })
      const before = whole.batches.slice(0, index + 1).flatMap(({ rows }) => rows)
      expect([...before, ...rest.rows]).toEqual(whole.rows)
      expect(rest.fields).toEqual(whole.fields)
    }
  })

  test('a list of partitions, each named in the request', async () => {
    const listed = stream({
      request: { path: '/things/{{ partition.value }}/parts' },
      partition: { type: 'list', values: ['3', '5'] },
    })
    expect(listIds(await read(buildManifest([listed]), { simulator: api }))).toEqual(['3-1', '3-2', '5-1', '5-2'])
  })

  test('windows of days by parameters, the next run from where this one ended, less the lookback', async () => {
    const cursor = {
      field: 'day',
      kind: 'date',
      format: 'date',
      start_parameter: 'from',
      end_parameter: 'to',
      start: '2026-11-01',
      step_days: 4,
      lookback_days: 2,
    } as const
    const manifest = buildManifest([stream({ cursor, paginate: { type: 'next_url', url: 'next' } })])
    const now = new Date('2026-11-07T09:00:00Z')
    const first = await read(manifest, { simulator: api, now })
    expect(first.context.requests.map(({ url }) => new URL(url).search)).toEqual([
      '?from=2026-11-01&to=2026-11-04',
      '?from=2026-11-05&to=2026-11-07',
    ])
    expect(first.finalState).toMatchObject({ cursor: '2026-11-07' })
    const later = new Date('2026-11-20T09:00:00Z')
    const second = await read(manifest, { simulator: api, now: later, request: { state: first.finalState ?? {} } })
    expect(listIds(second)).toEqual([5, 6, 7, 8, 9, 10])
    expect(second.finalState).toMatchObject({ cursor: '2026-11-10' })
    const window = { from: '2026-11-02', to: '2026-11-03' }
    const backfill = await read(manifest, { simulator: api, now: later, request: { window } })
    expect(listIds(backfill)).toEqual([2, 3])
    expect(backfill.finalState).toBeUndefined()
  })

  test('the days that were chosen bound a read; a record from the far future does not move the cursor past today', async () => {
    const cursor = { field: 'day', kind: 'date', format: 'date', start_parameter: 'from', end_parameter: 'to' } as const
    const manifest = buildManifest([stream({ cursor, paginate: { type: 'next_url', url: 'next' } })])
    const dates = { dataTimeframe: 'rangeDates', startDate: '2026-11-03', endDate: '2026-11-04' }
    const chosen = await read(manifest, {
      simulator: api,
      request: { query: { ...buildStreamQuery('things'), period: { dates } } },
    })
    expect(listIds(chosen)).toEqual([3, 4])
    const future: Simulator = async () => Response.json({ items: [{ id: 1, day: '9999-01-01' }] })
    const whole = await read(manifest, { simulator: future })
    expect(whole.finalState).toMatchObject({ cursor: '2026-11-10' })
  })

  test('what has no cursor can not be read by a window', async () => {
    const window = { from: '2026-11-02', to: '2026-11-03' }
    const whole = read(buildManifest([stream({})]), { simulator: api, request: { window } })
    await expect(whole).rejects.toThrow('can only be read whole')
  })

  test('a platform that filters nothing is filtered here', async () => {
    const cursor = { field: 'day', kind: 'date', format: 'date' } as const
    const manifest = buildManifest([stream({ cursor, paginate: { type: 'next_url', url: 'next' } })])
    const state = { cursor: '2026-11-09' }
    expect(listIds(await read(manifest, { simulator: api, request: { state } }))).toEqual([9, 10])
  })

  test('a wide list of fields is asked for in parts and joined by the key', async () => {
    const wide: Simulator = async (request) => {
      const names = (new URL(request.url).searchParams.get('fields') ?? '').split(',')
      const items = [1, 2].map((id) =>
        Object.fromEntries(names.map((name) => [name, name === 'id' ? id : `${name}${id}`])),
      )
      return names.length > 3 ? new Response('', { status: 400 }) : Response.json({ items })
    }
    const chunk = { parameter: 'fields', most: 3, fields: ['id', 'a', 'b', 'c', 'd', 'e'] }
    const whole = await read(buildManifest([stream({ chunk_fields: chunk })]), { simulator: wide })
    expect(whole.rows).toEqual([1, 2].map((id) => [id, `a${id}`, `b${id}`, `c${id}`, `d${id}`, `e${id}`]))
    expect(whole.context.requests).toHaveLength(3)
  })

  test('a report is asked for, waited for and read; an earlier one is taken up again', async () => {
    const polls: string[] = []
    const slow: Simulator = async (request) => {
      const { pathname } = new URL(request.url)
      if (pathname === '/reports')
        return Response.json({ report: { id: `r${((await request.json()) as { n: number }).n}` } })
      if (pathname.endsWith('/rows')) return Response.json({ items: [{ id: pathname }] })
      polls.push(pathname)
      return Response.json({ status: polls.length % 3 === 0 ? 'DONE' : 'RUNNING' })
    }
    const report = {
      create: { method: 'POST', path: '/reports', body: { n: 7 } },
      id: 'report.id',
      poll: { path: '/reports/{{ report.id }}' },
      status: 'status',
      done: ['DONE'],
      failed: ['FAILED'],
      every_seconds: 10,
    } as const
    const manifest = buildManifest([
      stream({
        request: { path: '/reports/{{ report.id }}/rows' },
        report: { ...report, done: [...report.done], failed: [...report.failed] },
      }),
    ])
    const whole = await read(manifest, { simulator: slow })
    expect(listIds(whole)).toEqual(['/reports/r7/rows'])
    expect(polls).toHaveLength(3)
    const waited = (whole.context.requests.at(-1)?.at ?? 0) - (whole.context.requests[0]?.at ?? 0)
    expect(waited).toBeGreaterThanOrEqual(20_000)
    const [{ state } = { state: undefined }] = whole.batches
    expect(state).toMatchObject({ at: { report: 'r7' } })
  })
})

describe('what goes wrong', () => {
  const simulator =
    (answer: () => Response): Simulator =>
    async () =>
      answer()

  test('rules decide by status and by text, also of answers that call themselves a success', async () => {
    const errors = [
      { status: [418], kind: 'ignore' },
      { contains: 'quota', kind: 'rate_limited', message: 'The quota of today is used up.' },
      {
        status: [400],
        contains: 'bad key',
        kind: 'configuration',
        message: 'The key is wrong.',
        advice: 'Enter another.',
      },
    ] as const
    const manifest = buildManifest([stream({})], {
      errors: errors.map((rule) => ({ ...rule, status: [...('status' in rule ? rule.status : [200])] })),
    })
    const ignored = await read(manifest, { simulator: simulator(() => new Response('', { status: 418 })) })
    expect(ignored.rows).toEqual([])
    const full = read(manifest, { simulator: simulator(() => Response.json({ error: 'quota' })) })
    await expect(full).rejects.toMatchObject({ kind: 'rate_limited', message: 'The quota of today is used up.' })
    const wrong = read(manifest, { simulator: simulator(() => new Response('bad key', { status: 400 })) })
    await expect(wrong).rejects.toMatchObject({ kind: 'configuration', advice: 'Enter another.' })
  })

  test('paging that never moves is stopped', async () => {
    const paginate = { type: 'page', parameter: 'page', size: 1 } as const
    const same = simulator(() => Response.json({ items: [{ id: 1 }] }))
    await expect(read(buildManifest([stream({ paginate })]), { simulator: same })).rejects.toThrow(
      'the same page twice',
    )
  })

  test('a page that is no JSON, a stream that is not there, a setting that is empty', async () => {
    const page = simulator(() => new Response('<html>hello</html>'))
    await expect(read(buildManifest([stream({})]), { simulator: page })).rejects.toThrow('not JSON')
    await expect(read(buildManifest([stream({})]), { simulator: api, stream: 'nope' })).rejects.toThrow('no "nope"')
    const manifest = buildManifest([stream({})], { auth: { type: 'bearer', token: '{{ config.other }}' } })
    await expect(read(manifest, { simulator: api })).rejects.toMatchObject({ field: 'inputs.other' })
  })

  test('values that do not fit go on as text, with one line in the log', async () => {
    const fields = [{ name: 'id', type: 'integer' as const }]
    const odd = simulator(() => Response.json({ items: [{ id: 1 }, { id: 'two' }, { id: 'three' }] }))
    const whole = await read(buildManifest([stream({ fields })]), { simulator: odd })
    expect(whole.rows).toEqual([[1], ['two'], ['three']])
    expect(whole.context.logs).toEqual(['WARNING things: a value of id is no integer.'])
  })
})

test('memory: one page at a time is asked for, however many there are', async () => {
  let given = 0
  const endless: Simulator = async () => Response.json({ items: [{ id: (given += 1) }], next: String(given) })
  const paginate = { type: 'cursor', token: 'next', parameter: 'after' } as const
  const fields = [{ name: 'id', type: 'integer' as const }]
  const source = createConnector(buildManifest([stream({ paginate, fields })])).source
  const reading = await source?.read(createTestContext({ simulator: endless }), { query: buildStreamQuery('things') })
  let batches = 0
  for await (const _ of reading?.batches ?? []) {
    batches += 1
    expect(given).toBe(batches)
    if (batches === 20) break
  }
  expect(given).toBe(20)
})

test('windows, pages and resuming from any batch give every record once', async () => {
  const instants = fc.uniqueArray(fc.integer({ min: Date.parse('2026-01-01'), max: Date.parse('2026-03-01') }), {
    minLength: 1,
    maxLength: 30,
  })
  await fc.assert(
    fc.asyncProperty(
      instants,
      fc.integer({ min: 6, max: 40 }),
      fc.integer({ min: 1, max: 9 }),
      async (times, days, size) => {
        const all = times.toSorted((a, b) => a - b).map((at, id) => ({ id, at: new Date(at).toISOString() }))
        const simulator: Simulator = async (request) => {
          const requestedSearchParam = new URL(request.url).searchParams
          const start = Number(requestedSearchParam.get('skip'))
          const fitting = all.filter(
            ({ at }) => at >= (requestedSearchParam.get('from') ?? '') && at <= (requestedSearchParam.get('to') ?? ''),
          )
          return Response.json({ items: fitting.slice(start, start + size) })
        }
        const cursor = {
          field: 'at',
          kind: 'datetime',
          format: 'iso',
          start_parameter: 'from',
          end_parameter: 'to',
          start: '2026-01-01',
          step_days: days,
        } as const
        const manifest = buildManifest([stream({ cursor, paginate: { type: 'offset', parameter: 'skip', size } })])
        const whole = await read(manifest, { simulator })
        expect(listIds(whole)).toEqual(all.map(({ id }) => id))
        const [index] = fc.sample(fc.nat(whole.batches.length - 2), 1)
        const before = whole.batches.slice(0, (index ?? 0) + 1).flatMap(({ rows }) => rows)
        const rest = await read(manifest, { simulator, request: { state: whole.batches[index ?? 0]?.state ?? {} } })
        expect([...before, ...rest.rows]).toEqual(whole.rows)
      },
    ),
    { numRuns: 25 },
  )
})
