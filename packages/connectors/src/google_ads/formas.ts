import type { Forma } from '@trellis/contract/formas/forma'
import { buildDatesSection } from '../shared/dates-section.ts'
import { buildGoogleOAuth, buildGoogleSections } from '../shared/google-consent.ts'

export const oauth = buildGoogleOAuth('https://www.googleapis.com/auth/adwords')

export const setupForma: Forma = {
  forma_trellis_code: 'google_ads_setup',
  title: 'Google Ads',
  sections: [
    ...buildGoogleSections(oauth),
    {
      reference: 'account',
      order: 3,
      title: 'Access to the API',
      is_required: true,
      elements: [
        {
          reference: 'developer_token',
          order: 1,
          label: 'Developer token',
          help: 'In your manager account at Google Ads under Tools, API Center.',
          data_type: 'str',
          type: 'secret',
          properties: { max_length: 200 },
        },
        {
          reference: 'login_customer_id',
          order: 2,
          label: 'Manager account',
          help: 'Ten digits. Leave it empty to use every account the consent reaches.',
          data_type: 'str',
          type: 'text',
          is_optional: true,
          properties: {
            placeholder: '123-456-7890',
            pattern: String.raw`^\d{3}-?\d{3}-?\d{4}$`,
            pattern_message: 'Enter the ten digits shown at the top of Google Ads.',
          },
        },
        {
          reference: 'conversion_window',
          order: 3,
          label: 'Conversion window',
          help: 'Days that are read again each time, because conversions are counted later.',
          data_type: 'int',
          type: 'number',
          is_optional: true,
          default: 14,
          properties: { min: 0, max: 90, is_integer: true, unit: 'days' },
        },
      ],
    },
  ],
}

const EXAMPLE = `SELECT campaign.id, campaign.name, segments.date, metrics.impressions, metrics.clicks, metrics.cost_micros
FROM campaign`

export const queryForma: Forma = {
  forma_trellis_code: 'google_ads_query',
  title: 'Google Ads query',
  sections: [
    {
      reference: 'monacoGaql',
      order: 1,
      title: 'Query',
      description:
        'In the Google Ads Query Language. With segments.date among the fields only new and restated days are read.',
      is_required: true,
      elements: [
        {
          reference: 'editor',
          order: 1,
          label: 'Query',
          data_type: 'str',
          type: 'query_editor',
          properties: { language: 'gaql', placeholder: EXAMPLE },
        },
      ],
    },
    buildDatesSection(2, {
      help: 'Google Ads keeps 37 months, clicks 90 days. A query that names its own days is sent as it is.',
    }),
    {
      reference: 'accounts',
      order: 3,
      title: 'Accounts',
      is_required: false,
      elements: [
        {
          reference: 'customers',
          order: 1,
          label: 'Accounts',
          help: 'None chosen means all.',
          data_type: 'str',
          type: 'multi_select',
          is_optional: true,
          properties: { options: [], options_from: 'accounts' },
        },
      ],
    },
  ],
}
