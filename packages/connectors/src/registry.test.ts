import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { type Connector, defineConnector, resolveSetupForma } from '@trellis/connector-kit/connector'
import { checkManifest } from '@trellis/connector-kit/rest/check-manifest'
import { createRestSource, buildStreamQuery } from '@trellis/connector-kit/rest/rest-source'
import { buildStreamForma } from '@trellis/connector-kit/rest/stream-forma'
import { createTestContext } from '@trellis/connector-kit/testing/test-context'
import { Forma } from '@trellis/contract/formas/forma'
import { isFormaComplete, startValues } from '@trellis/contract/formas/forma-rules'
import type { RestManifest } from '@trellis/contract/integrations/rest-manifest'
import { describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { CONNECTORS } from './registry.ts'

const here = import.meta.dirname
const root = resolve(here, '../../..')
const folders = readdirSync(here, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && entry.name !== 'shared')
  .map(({ name }) => name)

const OF_FILES = ['shared/files/read-files.test.ts', 'every record of a file is a row or is rejected'] as const
/** Where the kit can't put malformed records into answers of JSON. */
const FED_BY: Readonly<Record<string, readonly [file: string, title: string]>> = {
  http_files: OF_FILES,
  s3_files: OF_FILES,
  mysql: ['mysql/source.test.ts', 'dates that no calendar has are empty, counted by column'],
}
/** Postgres checks every value before it is stored; sample data is made here. */
const NEVER_BROKEN = new Set(['postgresql', 'trellis_database', 'sample_data'])

const readTests = (code: string): string[] =>
  readdirSync(join(here, code), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.test.ts'))
    .map((path) => readFileSync(join(here, code, path), 'utf8'))

test('every folder is a connector of the registry, once', () => {
  expect(CONNECTORS.map(({ code }) => code).toSorted()).toEqual(folders.toSorted())
})

describe.each(CONNECTORS.map((connector) => [connector.code, connector] as const))('%s', (code, connector) => {
  test('has its documentation and a drawing that works everywhere', () => {
    const text = readFileSync(join(here, code, 'README.md'), 'utf8')
    expect(text).toMatch(/^# \S/)
    expect(text.length).toBeGreaterThan(300)
    const icon = readFileSync(join(here, code, 'icon.svg'), 'utf8')
    expect(icon).toMatch(/^<svg [^>]*viewBox="0 0 24 24"/)
    expect(icon).not.toMatch(/<script|<foreignObject|<image|href|\bon\w+=|url\(|<style/i)
    expect(icon.length).toBeLessThan(4000)
  })

  test('calls its sample data what people call it', () => {
    const { name, summary, setupForma, source, destination } = connector
    const shown = [name, summary, setupForma, source?.queryFormas, destination?.queryFormas]
    expect(JSON.stringify(shown)).not.toMatch(/invented/i)
    expect(readFileSync(join(here, code, 'README.md'), 'utf8')).not.toMatch(/invented/i)
  })

  test('has formas the renderer can draw, each element once', () => {
    const formas = [
      connector.setupForma,
      ...(connector.source?.queryFormas ?? []),
      ...(connector.destination?.queryFormas ?? []),
    ]
    for (const forma of formas) {
      expect(z.safeParse(Forma, forma).error).toBeUndefined()
      const names = forma.sections.flatMap(({ reference, elements }) =>
        elements.map((other) => `${reference}.${other.reference}`),
      )
      expect(new Set(names).size).toBe(names.length)
    }
  })

  test('says where its secrets go where the person says the address', () => {
    const isFixed = Object.values(connector.hosts).some((base) => base !== '')
    const hasSecret = connector.setupForma.sections.some(({ elements }) =>
      elements.some(({ type }) => type === 'secret'),
    )
    const asks = (hasSecret || connector.setupFormaFor !== undefined) && !isFixed
    expect(connector.secretsGoTo !== undefined).toBe(asks)
  })

  test('is tested for conformance where it is a source', () => {
    const texts = readTests(code)
    expect(texts.length).toBeGreaterThan(0)
    const isConforming = texts.some((text) => /\btestConformance\(/.test(text))
    expect(isConforming).toBe(connector.source !== undefined)
  })

  test('is fed broken records where it is a source', () => {
    if (connector.source === undefined || NEVER_BROKEN.has(code)) return
    const [file, title] = FED_BY[code] ?? []
    const text = file === undefined ? readTests(code).join('') : readFileSync(join(here, file), 'utf8')
    expect(text).toContain(title ?? 'findRecords')
  })
})

const manifest: RestManifest = {
  version: 1,
  base_url: '{{ host.api }}',
  inputs: [],
  auth: { type: 'bearer', token: '{{ values.account.key }}' },
  streams: [{ name: 'things', request: { path: '/things' }, records: '', key: ['id'] }],
}
const unheard: Connector = defineConnector({
  code: 'unheard',
  name: 'Unheard',
  summary: 'Things.',
  tags: ['source'],
  hosts: { api: 'https://unheard.invalid' },
  setupForma: {
    forma_trellis_code: 'unheard_setup',
    title: 'Unheard',
    sections: [
      {
        reference: 'account',
        order: 1,
        title: 'Account',
        is_required: true,
        elements: [{ reference: 'key', order: 1, label: 'Key', data_type: 'str', type: 'secret', properties: {} }],
      },
    ],
  },
  check: async () => [{ label: 'Things', value: '1' }],
  source: createRestSource(manifest, { platform: 'Unheard', queryFormas: [buildStreamForma('unheard', manifest)] }),
  simulator: async () => Response.json([{ id: 1, name: 'one' }]),
})

/** Everything the product does with a connector, without knowing which. */
async function workWith(registry: readonly Connector[], code: string, entered: Record<string, unknown>) {
  const connector = registry.find((candidate) => candidate.code === code)
  if (!connector?.source) throw new Error(`There is no ${code}.`)
  const values = { ...startValues(connector.setupForma), ...(entered as Record<string, Record<string, unknown>>) }
  const isComplete = isFormaComplete(resolveSetupForma(connector, values), values, { today: '2026-11-10' })
  const context = createTestContext({ values, ...(connector.simulator ? { simulator: connector.simulator } : {}) })
  const found = await connector.check(context)
  const [forma] = connector.source.queryFormas
  const first = forma?.sections[0]?.elements[0]
  const stream = first?.type === 'select' ? first.properties.options[0]?.value : undefined
  const { batches } = await connector.source.read(context, { query: buildStreamQuery(stream ?? ''), limit: 1 })
  for await (const batch of batches) return { isComplete, found, batch }
  throw new Error('Nothing was read.')
}

test.each([
  ['unheard', { account: { key: 'k' } }],
  ['sample_data', {}],
  ['stripe', { account: { secret_key: 'rk_test_x' } }],
  ['hubspot', { account: { method: 'token', access_token: 'pat-anything' } }],
  ['shopify', { shop: { name: 'my-shop', method: 'token', access_token: 'shpat_anything' } }],
])('%s works through code that knows no platform', async (code, entered) => {
  expect(checkManifest(manifest, { setupForma: unheard.setupForma, hosts: ['api'] })).toEqual([])
  const { isComplete, found, batch } = await workWith([...CONNECTORS, unheard], code, entered)
  expect(isComplete).toBe(true)
  expect(found.length).toBeGreaterThan(0)
  expect(batch.kind === 'rows' && batch.rows.length).toBeGreaterThan(0)
})

describe('nobody outside a connector decides by its name', () => {
  const codes = CONNECTORS.map(({ code }) => code).join('|')
  const decides = new RegExp(
    [
      `(?:===?|!==?|\\bcase)\\s*['"\`](?:${codes})['"\`]`,
      `['"\`](?:${codes})['"\`]\\s*(?:===?|!==?)`,
      `\\b(?:includes|has|startsWith)\\(['"\`](?:${codes})['"\`]\\)`,
    ].join('|'),
  )

  test('the pattern sees what it must', () => {
    for (const text of ["if (code === 'stripe')", 'case "hubspot":', "'rest' !== platform", "set.has('shopify')"]) {
      expect(text).toMatch(decides)
    }
    expect("import { stripe } from './stripe/connector.ts'").not.toMatch(decides)
  })

  test('no file of the product does it', () => {
    const places = ['apps/server/src', 'apps/web/src', 'packages']
    const files = places.flatMap((place) =>
      readdirSync(join(root, place), { recursive: true, encoding: 'utf8' })
        .filter((path) => /\.tsx?$/.test(path) && !path.includes('node_modules'))
        .map((path) => `${place}/${path}`),
    )
    const isOwn = new RegExp(`^packages/connectors/src/(?:${codes}|shared)/`)
    const isTest = /\.test\.tsx?$|\/testing\//
    const judgedFiles = files.filter((path) => !isOwn.test(path) && !isTest.test(path))
    expect(judgedFiles.length).toBeGreaterThan(300)
    expect(
      judgedFiles.filter(
        (path) => existsSync(join(root, path)) && decides.test(readFileSync(join(root, path), 'utf8')),
      ),
    ).toEqual([])
  })
})
