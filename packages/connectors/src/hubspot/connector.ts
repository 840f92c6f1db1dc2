import { type Connector, defineConnector } from '@trellis/connector-kit/connector'
import { checkStreams } from '@trellis/connector-kit/rest/check-connection'
import { createRestSource } from '@trellis/connector-kit/rest/rest-source'
import { buildStreamForma } from '@trellis/connector-kit/rest/stream-forma'
import { usesOauth } from '../shared/consent-sections.ts'
import { hubspotManifest } from './manifest.ts'
import { oauth } from './oauth.ts'
import { SECTION, setupForma } from './setup-forma.ts'
import { hubspotSimulator } from './simulator.ts'

const source = createRestSource(
  ({ values }) => (usesOauth(values, SECTION) ? { ...hubspotManifest, auth: { type: 'oauth' } } : hubspotManifest),
  {
    platform: 'HubSpot',
    queryFormas: [buildStreamForma('hubspot', hubspotManifest)],
    secretValues: ['account.access_token'],
  },
)

export const hubspot: Connector = defineConnector({
  code: 'hubspot',
  name: 'HubSpot',
  summary: 'Contacts, companies and deals.',
  tags: ['source', 'crm'],
  hosts: { api: 'https://api.hubapi.com', app: 'https://app.hubspot.com' },
  oauth,
  setupForma,
  check: (context) =>
    checkStreams(context, {
      source,
      streams: hubspotManifest.streams,
      field: usesOauth(context.values, SECTION) ? 'consent.link' : 'account.access_token',
    }),
  source,
  simulator: hubspotSimulator,
})
