import type { Forma, FormaValues } from '@trellis/contract/formas/forma'
import { RestManifest } from '@trellis/contract/integrations/rest-manifest'
import { ConnectorError } from '@trellis/connector-kit/connector-error'
import { type Connector, defineConnector } from '@trellis/connector-kit/connector'
import { checkStreams } from '@trellis/connector-kit/rest/check-connection'
import { checkManifest } from '@trellis/connector-kit/rest/check-manifest'
import { readInputs, buildInputsSection } from '@trellis/connector-kit/rest/inputs'
import { createRestSource } from '@trellis/connector-kit/rest/rest-source'
import { buildStreamForma } from '@trellis/connector-kit/rest/stream-forma'
import * as z from 'zod/mini'
import { bookshopSimulator } from './simulator.ts'

const MANIFEST_FIELD = 'source.manifest'
const MAX_CHECKED = 10

const setupForma: Forma = {
  forma_trellis_code: 'rest_setup',
  title: 'REST source',
  sections: [
    {
      reference: 'source',
      order: 1,
      title: 'Source',
      description: 'Where the API is, how to get in, and what to read from it.',
      is_required: true,
      elements: [
        {
          reference: 'manifest',
          order: 1,
          label: 'Source',
          data_type: 'str',
          type: 'rest_manifest',
          properties: {},
        },
      ],
    },
  ],
}

function buildSetupForma(values: FormaValues): Forma {
  const section = buildInputsSection(values['source']?.['manifest'], 2)
  return section ? { ...setupForma, sections: [...setupForma.sections, section] } : setupForma
}

function readManifest(values: FormaValues): RestManifest {
  const manifest = values['source']?.['manifest']
  const [fault] = checkManifest(manifest)
  if (!fault) return z.parse(RestManifest, manifest)
  const place = fault.path === '' ? '' : ` (${fault.path})`
  throw new ConnectorError('configuration', `The source is not complete: ${fault.message}${place}`, {
    advice: 'Open the source, fix it and try it out there.',
    field: MANIFEST_FIELD,
  })
}

const source = createRestSource(({ values }) => readManifest(values), {
  platform: 'The API',
  queryFormas: [buildStreamForma('rest', undefined)],
  config: ({ values }) => readInputs(values),
  baseUrl: ({ getHost }) => getHost('api') || undefined,
})

export const rest: Connector = defineConnector({
  code: 'rest',
  name: 'REST API',
  summary: 'Any web API that answers with JSON: describe it here, try it out, and read it like any other source.',
  tags: ['source', 'api'],
  hosts: { api: '' },
  setupForma,
  setupFormaFor: buildSetupForma,
  secretsGoTo(values) {
    const base = (values['source']?.['manifest'] as { base_url?: unknown } | undefined)?.base_url
    // Values inserted into the address determine the host too.
    const filled = typeof base === 'string' && base.includes('{{') ? values['inputs'] : null
    return JSON.stringify([base, filled])
  },
  async check(context) {
    const { streams } = readManifest(context.values)
    return checkStreams(context, { source, streams: streams.slice(0, MAX_CHECKED), field: MANIFEST_FIELD })
  },
  async options({ values }, name, search) {
    if (name !== 'streams') return []
    const choices = readManifest(values).streams.map((stream) => ({
      value: stream.name,
      label: stream.title ?? stream.name,
    }))
    return choices.filter(({ label }) => label.toLowerCase().includes(search.toLowerCase()))
  },
  source,
  simulator: bookshopSimulator,
})
