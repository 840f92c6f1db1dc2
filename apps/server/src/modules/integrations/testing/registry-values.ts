import type { Connector } from '@trellis/connector-kit/connector'
import { resolveSetupForma } from '@trellis/connector-kit/connector'
import type { Forma, FormaElement, FormaValues } from '@trellis/contract/formas/forma'
import { findFormaProblems } from '@trellis/contract/formas/forma-rules'

export interface Entered {
  readonly host: string
  readonly port: number
  readonly createSecret: (name: string) => string
}

const TODAY = new Date().toISOString().slice(0, 10)

const manifestAt = ({ host, port }: Entered) => ({
  version: 1,
  base_url: `http://${host}:${port}`,
  inputs: ['key', 'user', 'word', 'more'].map((reference) => ({ reference, label: reference, is_secret: true })),
  auth: { type: 'basic', username: '{{ config.user }}', password: '{{ config.word }}' },
  headers: { 'x-key': '{{ config.key }}' },
  streams: [{ name: 'orders', request: { path: '/orders', query: { more: '{{ config.more }}' } }, records: 'data' }],
})

/** Works for every platform, including future ones: tries candidates per element. */
export function setupValues(connector: Connector, entered: Entered): FormaValues {
  const values: Record<string, Record<string, unknown>> = {}
  // Twice, since the first values decide which elements are shown.
  for (const forma of [connector.setupForma, undefined])
    fill(forma ?? resolveSetupForma(connector, values), values, entered)
  return values
}

export function queryValues(formas: readonly Forma[], entered: Entered): FormaValues {
  const values: Record<string, Record<string, unknown>> = {}
  for (const forma of formas) fill(forma, values, entered)
  return values
}

function fill(forma: Forma, values: Record<string, Record<string, unknown>>, entered: Entered): void {
  for (const section of forma.sections) {
    const own = (values[section.reference] ??= {})
    for (const element of section.elements) {
      const name = `${section.reference}.${element.reference}`
      const isRight = (candidate: unknown) =>
        findFormaProblems(
          forma,
          { ...values, [section.reference]: { ...own, [element.reference]: candidate } },
          { today: TODAY },
        )[name] === undefined
      const found = candidatesFor(element, name, entered).find(isRight)
      if (found !== undefined) own[element.reference] = found
    }
  }
}

function candidatesFor(element: FormaElement, name: string, entered: Entered): unknown[] {
  switch (element.type) {
    case 'secret': {
      const secret = entered.createSecret(name)
      return [secret, ...['sk_test_', 'rk_test_', 'shpat_', 'pat-na1-', 'AKIA'].map((start) => `${start}${secret}`)]
    }
    case 'text':
    case 'macro':
      return textsFor(element.reference, entered)
    case 'number':
      return [element.reference === 'port' ? entered.port : element.default, element.properties.min, 1]
    case 'select':
      return [element.default, ...element.properties.options.map(({ value }) => value), 'example']
    case 'multi_select':
      return [element.default, ...element.properties.options.map(({ value }) => [value]), ['example']]
    case 'boolean':
      return [element.default ?? false]
    case 'rest_manifest':
      return [manifestAt(entered)]
    case 'table_picker':
      return [{ schema: 'public', table: 'orders' }]
    case 'historic_date_range':
      return [{ dataTimeframe: 'rangeDates', startDate: TODAY, endDate: TODAY }]
    case 'dimensions':
      return [[{ dimension: 'date', actionEvent: '' }]]
    case 'goals':
      return [[{ goalEvent: 'purchase' }]]
    case 'query_editor':
      return ['SELECT campaign.id FROM campaign', 'select 1']
    case 'oauth_link':
      return []
  }
}

function textsFor(reference: string, { host, port }: Entered): string[] {
  const url = `http://${host}:${port}`
  if (/host|server/.test(reference)) return [host]
  const addresses = [url, `${url}/x.csv`, host, `${host}/x`]
  const others = ['example', 'my-shop', '1234567890']
  return /url|address|endpoint/.test(reference) ? [...addresses, ...others] : [...others, ...addresses]
}
