import type { ColumnType } from '@trellis/contract/explorer/column-types'
import type { RestManifest, RestStream } from '@trellis/contract/integrations/rest-manifest'
import { toRestFields } from '../shared/rest-fields.ts'

const PAGE = 100

/** Pages by the last id: `after` stops at 10,000 results, and many records can share a timestamp. */
function search(
  name: string,
  title: string,
  part: { changed: string; properties: Record<string, ColumnType> },
): RestStream {
  const { changed, properties } = part
  return {
    name,
    title,
    request: {
      method: 'POST',
      path: `/crm/v3/objects/${name}/search`,
      body: {
        limit: PAGE,
        sorts: [{ propertyName: 'hs_object_id', direction: 'ASCENDING' }],
        properties: Object.keys(properties),
        filterGroups: [
          {
            filters: [
              { propertyName: 'hs_object_id', operator: 'GT', value: '{{ page.token | default: 0 }}' },
              { propertyName: changed, operator: 'GTE', value: '{{ window.start | unix_ms }}' },
            ],
          },
        ],
      },
    },
    records: 'results',
    key: ['id'],
    paginate: { type: 'cursor', token: 'last_record.id', parameter: '', size: PAGE },
    // HubSpot's search index lags behind.
    cursor: { field: 'updated_at', kind: 'datetime', format: 'iso', lookback_days: 1 },
    fields: toRestFields({
      id: 'text',
      ...Object.fromEntries(
        Object.entries(properties).map(([property, type]) => [property, [type, `properties.${property}`]]),
      ),
      archived: 'boolean',
      created_at: ['timestamptz', 'createdAt'],
      updated_at: ['timestamptz', 'updatedAt'],
    }),
  }
}

export const hubspotManifest: RestManifest = {
  version: 1,
  base_url: '{{ host.api }}',
  inputs: [],
  auth: { type: 'bearer', token: '{{ values.account.access_token }}' },
  budget: { requests: 4, seconds: 1 },
  errors: [
    {
      status: [401],
      kind: 'refresh_token',
      message: 'HubSpot does not accept this access token.',
      advice: 'Copy the access token of the private app again, or create a new one.',
    },
    {
      status: [403],
      kind: 'configuration',
      message: 'The app may not read this at HubSpot.',
      advice:
        'Add the scope for reading this object to the app in HubSpot; with OAuth, give consent again. Then check again.',
    },
    {
      status: [429],
      contains: 'DAILY',
      kind: 'rate_limited',
      message: 'The calls HubSpot allows in a day are used up.',
      advice: 'Reading continues automatically after midnight in the time zone of the HubSpot account.',
    },
  ],
  streams: [
    search('contacts', 'Contacts', {
      changed: 'lastmodifieddate',
      properties: {
        email: 'text',
        firstname: 'text',
        lastname: 'text',
        phone: 'text',
        company: 'text',
        lifecyclestage: 'text',
        hs_lead_status: 'text',
        hubspot_owner_id: 'text',
      },
    }),
    search('companies', 'Companies', {
      changed: 'hs_lastmodifieddate',
      properties: {
        name: 'text',
        domain: 'text',
        industry: 'text',
        country: 'text',
        numberofemployees: 'integer',
        annualrevenue: 'decimal',
        hubspot_owner_id: 'text',
      },
    }),
    search('deals', 'Deals', {
      changed: 'hs_lastmodifieddate',
      properties: {
        dealname: 'text',
        dealstage: 'text',
        pipeline: 'text',
        amount: 'decimal',
        closedate: 'timestamptz',
        hs_is_closed_won: 'boolean',
        hubspot_owner_id: 'text',
      },
    }),
  ],
}
