import type { RestManifest } from '@trellis/contract/integrations/rest-manifest'
import { describe, expect, test } from 'vitest'
import type { Simulator } from '../connector.ts'
import { createTestContext } from '../testing/test-context.ts'
import { checkManifest } from './check-manifest.ts'
import { tryManifest } from './trial.ts'

const good: RestManifest = {
  version: 1,
  base_url: 'https://{{ config.shop }}.shop.invalid',
  inputs: [
    { reference: 'shop', label: 'Shop', is_secret: false },
    { reference: 'key', label: 'Key', is_secret: true },
  ],
  auth: { type: 'api_key', in: 'query', name: 'api_key', value: '{{ config.key }}' },
  streams: [
    {
      name: 'orders',
      request: { path: '/orders', query: { since: '{{ window.start | iso }}' } },
      records: 'orders',
      key: ['id'],
      cursor: { field: 'updated_at', kind: 'datetime', format: 'iso' },
      paginate: { type: 'next_url', url: 'next' },
    },
    {
      name: 'lines',
      request: { path: '/orders/{{ parent.id }}/lines' },
      records: 'lines',
      partition: { type: 'parent', stream: 'orders', field: 'id' },
    },
  ],
}
const changed = (change: (manifest: RestManifest) => unknown): RestManifest => {
  const copy = structuredClone(good)
  change(copy)
  return copy
}

describe('checking', () => {
  test('a good manifest has no faults', () => {
    expect(checkManifest(good)).toEqual([])
  })

  test.each<[string, (manifest: RestManifest) => unknown, string]>([
    ['streams.0.request.path', ({ streams: [one] }) => one && (one.request.path = '/{{ config.key }}'), 'is secret'],
    ['auth.type', (manifest) => (manifest.auth = { type: 'oauth' }), 'Consent is possible only'],
    ['base_url', (manifest) => (manifest.base_url = '{{ host.api }}'), 'no host'],
    ['auth.value', ({ auth }) => auth.type === 'api_key' && (auth.value = '{{ config.kee }}'), 'no input'],
    ['streams.1.request.path', ({ streams }) => delete streams[1]?.partition, 'A parent is there only'],
    ['streams.0.request.query.since', ({ streams }) => delete streams[0]?.cursor, 'A window is there only'],
    ['streams', ({ streams }) => streams[1] && (streams[1].name = 'orders'), 'twice'],
    [
      'streams.0.cursor.start',
      ({ streams }) => streams[0]?.cursor && (streams[0].cursor.step_days = 7),
      'needs a day to begin at',
    ],
    [
      'streams.1.partition.stream',
      ({ streams }) => streams[1] && (streams[1].partition = { type: 'parent', stream: 'lines', field: 'id' }),
      'of itself',
    ],
    [
      'streams.0.key.0',
      ({ streams }) => streams[0] && (streams[0].fields = [{ name: 'updated_at', type: 'text' }]),
      'no field',
    ],
    ['streams.0.request.body', ({ streams }) => streams[0] && (streams[0].request.body = { a: 1 }), 'Only a POST'],
  ])('%s', (path, change, message) => {
    const faults = checkManifest(changed(change))
    expect(faults).toContainEqual({ path, message: expect.stringContaining(message) as string })
  })

  test('what is not even of the shape is named by its place', () => {
    expect(checkManifest({ ...good, streams: [] })).toMatchObject([{ path: 'streams' }])
    expect(checkManifest('nonsense')).toHaveLength(1)
  })
})

describe('trying it out', () => {
  const api: Simulator = async (request) => {
    const url = new URL(request.url)
    if (url.searchParams.get('api_key') !== 'pl4nted+secret')
      return Response.json({ message: 'wrong pl4nted' }, { status: 401 })
    const id = Number(url.searchParams.get('page') ?? 1)
    const orders = [{ id, updated_at: '2026-11-10T10:00:00Z', note: `echo ${url.searchParams.get('api_key')}` }]
    const headers = { 'set-cookie': 'session=pl4nted+secret' }
    return Response.json({ orders, next: `/orders?page=${id + 1}&api_key=pl4nted%2Bsecret` }, { headers })
  }
  const trial = { manifest: good, stream: 'orders', platform: 'Shop', config: { shop: 'acme', key: 'pl4nted+secret' } }

  test('pages with requests, answers, records and a preview, and no secret anywhere but in the records', async () => {
    const result = await tryManifest(createTestContext({ simulator: api }), { ...trial, pages: 2 })
    expect(result.problem).toBeNull()
    expect(result.pages).toHaveLength(2)
    expect(result.pages[0]?.request.url).toContain('https://acme.shop.invalid/orders?')
    expect(result.pages[0]?.next).toBe('/orders?page=2')
    expect(result.preview?.candidate_cursors).toEqual(['updated_at', 'id'])
    expect(result.preview?.declared_keys).toEqual(['id'])
    const shown = JSON.stringify(result.pages.map(({ request, response, next }) => ({ request, response, next })))
    expect(shown).not.toContain('pl4nted')
  })

  test('what fails for now is told at once, not tried again while the person waits', async () => {
    const context = createTestContext({ simulator: async () => Response.json({ error: 'down' }, { status: 503 }) })
    const failed = await tryManifest(context, trial)
    expect(failed.problem).toMatchObject({ kind: 'transient' })
    expect(failed.pages.map(({ response }) => response?.status)).toEqual([503])
  })

  test('a refusal is a problem with the answer beside it; faults are told without asking', async () => {
    const context = createTestContext({ simulator: api })
    const refused = await tryManifest(context, { ...trial, config: { shop: 'acme', key: 'other' } })
    expect(refused.problem).toMatchObject({ kind: 'configuration', message: expect.stringContaining('401') as string })
    expect(refused.pages[0]?.response?.status).toBe(401)
    const idle = createTestContext({ simulator: api })
    const faulty = await tryManifest(idle, { ...trial, manifest: changed((item) => (item.base_url = '{{ nope }}')) })
    expect(faulty.faults).toHaveLength(1)
    expect(idle.requests).toEqual([])
  })
})
