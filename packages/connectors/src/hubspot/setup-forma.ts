import type { Forma } from '@trellis/contract/formas/forma'
import { shownForMethod, buildMethodElement, buildOauthSections } from '../shared/consent-sections.ts'
import { oauth } from './oauth.ts'

export const SECTION = 'account'

export const setupForma: Forma = {
  forma_trellis_code: 'hubspot_setup',
  title: 'HubSpot',
  sections: [
    {
      reference: SECTION,
      order: 0,
      title: 'Account',
      is_required: true,
      elements: [
        buildMethodElement(1, 'Access token'),
        {
          reference: 'access_token',
          order: 2,
          label: 'Access token of a private app',
          help: 'In HubSpot: Settings, Integrations, Private apps.',
          data_type: 'str',
          type: 'secret',
          shown_when: shownForMethod(SECTION, 'token'),
          properties: { placeholder: 'pat-…', min_length: 8 },
        },
      ],
    },
    ...buildOauthSections(SECTION, oauth),
  ],
}
