import type { RestManifest } from '@trellis/contract/integrations/rest-manifest'
import { findFormaProblems } from '@trellis/contract/formas/forma-rules'
import { resolveSetupForma } from '@trellis/connector-kit/connector'
import { getValue } from '@trellis/connector-kit/rest/path'
import { testConformance } from '@trellis/connector-kit/testing/conformance'
import { serveSimulator } from '@trellis/connector-kit/testing/local-host'
import { readAll } from '@trellis/connector-kit/testing/read-all'
import { createTestContext } from '@trellis/connector-kit/testing/test-context'
import { expect, test } from 'vitest'
import { rest } from './connector.ts'
import { bookshopSimulator as simulator } from './simulator.ts'

const manifest: RestManifest = {
  version: 1,
  base_url: 'https://bookshop.example',
  inputs: [{ reference: 'key', label: 'Key', is_secret: true }],
  auth: { type: 'api_key', in: 'header', name: 'X-Api-Key', value: '{{ config.key }}' },
  streams: [
    {
      name: 'books',
      request: { path: '/books' },
      records: 'books',
      key: ['id'],
      paginate: { type: 'page', parameter: 'page', size_parameter: 'size', size: 20 },
    },
    {
      name: 'reviews',
      request: { path: '/books/{{ parent.id }}/reviews' },
      records: 'reviews',
      key: ['id'],
      partition: { type: 'parent', stream: 'books', field: 'id' },
    },
    {
      name: 'sales',
      request: { path: '/sales' },
      records: 'sales',
      key: ['day', 'book_id'],
      cursor: {
        field: 'day',
        kind: 'date',
        format: 'date',
        start_parameter: 'from',
        end_parameter: 'to',
        start: '2026-09-01',
        step_days: 14,
      },
    },
  ],
}
const values = { source: { manifest }, inputs: { key: 'planted-secret' } }

testConformance(
  rest,
  manifest.streams.map(({ name, records }) => ({
    name,
    values,
    query: { data: { stream: name } },
    minBatches: 3,
    findRecords: (body) => getValue(body, records) as unknown[] | undefined,
  })),
)

test('the forma asks for what the manifest names', () => {
  expect(resolveSetupForma(rest, {}).sections.map(({ reference }) => reference)).toEqual(['source'])
  const forma = resolveSetupForma(rest, values)
  expect(forma.sections.at(-1)).toMatchObject({ reference: 'inputs', elements: [{ reference: 'key', type: 'secret' }] })
  const today = '2026-11-10'
  expect(findFormaProblems(forma, { source: { manifest } }, { today })).toEqual({ 'inputs.key': 'Required field' })
  expect(findFormaProblems(forma, values, { today })).toEqual({})
  expect(resolveSetupForma(rest, { source: { manifest: 'nonsense' } }).sections).toHaveLength(1)
})

test('streams of the manifest can be chosen by name', async () => {
  const context = createTestContext({ values })
  expect(await rest.options?.(context, 'streams', 'o')).toEqual([{ value: 'books', label: 'books' }])
})

test('a manifest with faults says where; a wrong key and a wrong path say what to mend', async () => {
  const broken = { ...manifest, base_url: '{{ config.nope }}' }
  const faulty = rest.check(createTestContext({ values: { ...values, source: { manifest: broken } }, simulator }))
  await expect(faulty).rejects.toMatchObject({
    message: expect.stringContaining('(base_url)') as string,
    field: 'source.manifest',
  })
  const wrong = rest.check(createTestContext({ values: { ...values, inputs: { key: 'wrong' } }, simulator }))
  await expect(wrong).rejects.toThrow('refused the credentials (401). It said: Send a key that is known here.')
  const empty = rest.check(createTestContext({ values: { ...values, inputs: {} }, simulator }))
  await expect(empty).rejects.toMatchObject({ field: 'inputs.key' })
})

test('over real HTTP at the address of the manifest', async () => {
  const server = await serveSimulator(simulator)
  try {
    const local = { ...manifest, base_url: server.toBaseUrl('api') }
    const context = createTestContext({ values: { ...values, source: { manifest: local } }, hosts: { api: '' } })
    const whole = await readAll(rest, context, { query: { data: { stream: 'books' } } })
    expect(whole.rows).toHaveLength(64)
  } finally {
    await server.close()
  }
})
