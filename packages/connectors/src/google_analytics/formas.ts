import type { Forma } from '@trellis/contract/formas/forma'
import { buildDatesSection } from '../shared/dates-section.ts'
import { buildGoogleOAuth, buildGoogleSections } from '../shared/google-consent.ts'
import { EVENTS, KNOWN_METRICS } from './catalogue.ts'

export const oauth = buildGoogleOAuth('https://www.googleapis.com/auth/analytics.readonly')
/** The API's limit; each goal takes one. */
export const MAX_METRICS = 10
const MAX_GOALS = 5

export const setupForma: Forma = {
  forma_trellis_code: 'google_analytics_setup',
  title: 'Google Analytics',
  sections: buildGoogleSections(oauth),
}

export const queryForma: Forma = {
  forma_trellis_code: 'google_analytics_query',
  title: 'Google Analytics report',
  sections: [
    {
      reference: 'property',
      order: 1,
      title: 'Property',
      is_required: true,
      elements: [
        {
          reference: 'property',
          order: 1,
          label: 'Property',
          data_type: 'str',
          type: 'select',
          properties: { options: [], options_from: 'properties' },
        },
      ],
    },
    {
      reference: 'report',
      order: 2,
      title: 'Report',
      description: 'One row for each day and each combination of the dimensions.',
      is_required: true,
      elements: [
        {
          reference: 'dimensions',
          order: 1,
          label: 'Dimensions',
          help: 'With events beside a dimension only these events are counted.',
          data_type: 'str',
          type: 'dimensions',
          default: [{ dimension: 'date', actionEvent: '' }],
          properties: {
            options: [],
            options_from: 'dimensions',
            events: EVENTS.map((name) => ({ value: name, label: name })),
          },
        },
        {
          reference: 'metrics',
          order: 2,
          label: 'Metrics',
          data_type: 'str',
          type: 'multi_select',
          default: ['activeUsers', 'sessions', 'screenPageViews'],
          properties: { options: KNOWN_METRICS.map(({ name, label }) => ({ value: name, label })), most: MAX_METRICS },
        },
        {
          reference: 'goals',
          order: 3,
          label: 'Goals',
          help: 'How often each of these key events happened, in a column of its own.',
          data_type: 'str',
          type: 'goals',
          is_optional: true,
          properties: { options: [], options_from: 'goals', most: MAX_GOALS },
        },
      ],
    },
    buildDatesSection(3, {
      help: 'Numbers of the last two days are read again each time, because Google Analytics completes them.',
    }),
  ],
}
