import type { Forma } from '@trellis/contract/formas/forma'
import type { OAuth } from '@trellis/connector-kit/connector'
import { buildConsentSections } from '../shared/consent-sections.ts'
import { buildDatesSection } from '../shared/dates-section.ts'
import { BREAKDOWNS, LEVELS, METRICS, WINDOWS } from './catalogue.ts'

export const VERSION = 'v23.0'

export const oauth: OAuth = {
  provider: 'Meta',
  authorize: { host: 'facebook', path: `/${VERSION}/dialog/oauth` },
  token: { host: 'graph', path: `/${VERSION}/oauth/access_token` },
  scopes: ['ads_read', 'email'],
  consentDays: 60,
  longLived: { grant: 'fb_exchange_token', parameter: 'fb_exchange_token' },
}

export const setupForma: Forma = {
  forma_trellis_code: 'meta_ads_setup',
  title: 'Meta Ads',
  sections: buildConsentSections({
    provider: 'Meta',
    scopes: oauth.scopes,
    pasted: {
      reference: 'access_token',
      label: 'Access token of a system user',
      help: 'Made in the business settings with the permission ads_read. It need not end, which consent does after 60 days.',
    },
  }),
}

const toOptions = (pairs: readonly (readonly [string, string])[]) => pairs.map(([value, label]) => ({ value, label }))
const forInsights = { section: 'report', element: 'object', values: ['insights'] }
const LEVEL_NAMES: Record<(typeof LEVELS)[number], string> = {
  account: 'Account',
  campaign: 'Campaign',
  adset: 'Ad set',
  ad: 'Ad',
}

export const queryForma: Forma = {
  forma_trellis_code: 'meta_ads_query',
  title: 'Meta Ads report',
  sections: [
    {
      reference: 'report',
      order: 1,
      title: 'Report',
      is_required: true,
      elements: [
        {
          reference: 'object',
          order: 1,
          label: 'What to read',
          data_type: 'str',
          type: 'select',
          default: 'insights',
          properties: {
            options: toOptions([
              ['insights', 'Numbers by day'],
              ['campaigns', 'Campaigns'],
              ['adsets', 'Ad sets'],
              ['ads', 'Ads'],
              ['adcreatives', 'Creatives'],
            ]),
          },
        },
        {
          reference: 'level',
          order: 2,
          label: 'One row for each',
          data_type: 'str',
          type: 'select',
          default: 'campaign',
          shown_when: forInsights,
          properties: { options: LEVELS.map((value) => ({ value, label: LEVEL_NAMES[value] })) },
        },
        {
          reference: 'metrics',
          order: 3,
          label: 'Numbers',
          data_type: 'str',
          type: 'multi_select',
          default: ['impressions', 'clicks', 'spend', 'actions'],
          shown_when: forInsights,
          properties: { options: METRICS.map(({ name, label }) => ({ value: name, label })) },
        },
        {
          reference: 'breakdowns',
          order: 4,
          label: 'Broken down by',
          data_type: 'str',
          type: 'multi_select',
          is_optional: true,
          shown_when: forInsights,
          properties: { options: toOptions(BREAKDOWNS), most: 3 },
        },
        {
          reference: 'attribution',
          order: 5,
          label: 'Actions are counted within',
          data_type: 'str',
          type: 'multi_select',
          is_optional: true,
          shown_when: forInsights,
          properties: {
            options: WINDOWS.map((value) => ({ value, label: value.replace('_', ' after ').replace('d ', ' days ') })),
          },
        },
      ],
    },
    buildDatesSection(2, {
      help: 'Meta keeps 37 months. The last 28 days are read again each time.',
      shownWhen: forInsights,
    }),
    {
      reference: 'accounts',
      order: 3,
      title: 'Ad accounts',
      is_required: false,
      elements: [
        {
          reference: 'accounts',
          order: 1,
          label: 'Ad accounts',
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
