import type { Forma } from '@trellis/contract/formas/forma'
import { type Connector, defineConnector } from '@trellis/connector-kit/connector'
import { checkStreams } from '@trellis/connector-kit/rest/check-connection'
import { restSource } from '@trellis/connector-kit/rest/rest-source'
import { streamForma } from '@trellis/connector-kit/rest/stream-forma'
import { hubspotManifest } from './manifest.ts'
import { hubspotSimulator } from './simulator.ts'

const setupForma: Forma = {
  forma_trellis_code: 'hubspot_setup',
  title: 'HubSpot',
  sections: [
    {
      reference: 'account',
      order: 1,
      title: 'Account',
      is_required: true,
      elements: [
        {
          reference: 'access_token',
          order: 1,
          label: 'Access token of a private app',
          help: 'In HubSpot: Settings, Integrations, Private apps.',
          data_type: 'str',
          type: 'secret',
          properties: { placeholder: 'pat-…', min_length: 8 },
        },
      ],
    },
  ],
}

const source = restSource(hubspotManifest, {
  platform: 'HubSpot',
  queryFormas: [streamForma('hubspot', hubspotManifest)],
  secretValues: ['account.access_token'],
})

export const hubspot: Connector = defineConnector({
  code: 'hubspot',
  name: 'HubSpot',
  summary: 'Contacts, companies and deals.',
  tags: ['source', 'crm'],
  hosts: { api: 'https://api.hubapi.com' },
  setupForma,
  check: (context) =>
    checkStreams(context, { source, streams: hubspotManifest.streams, field: 'account.access_token' }),
  source,
  simulator: hubspotSimulator,
})
