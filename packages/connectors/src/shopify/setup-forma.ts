import type { Forma } from '@trellis/contract/formas/forma'
import { shownForMethod, buildMethodElement, buildOauthSections } from '../shared/consent-sections.ts'
import { SHOP_NAME, oauth } from './oauth.ts'

export const SECTION = 'shop'

export const setupForma: Forma = {
  forma_trellis_code: 'shopify_setup',
  title: 'Shopify',
  sections: [
    {
      reference: SECTION,
      order: 0,
      title: 'Shop',
      is_required: true,
      elements: [
        {
          reference: 'name',
          order: 1,
          label: 'Shop name',
          help: 'The part before .myshopify.com.',
          data_type: 'str',
          type: 'text',
          properties: {
            placeholder: 'my-shop',
            pattern: SHOP_NAME,
            pattern_message: 'Enter only the part before .myshopify.com: letters, digits and dashes.',
            max_length: 63,
          },
        },
        buildMethodElement(2, 'Access token'),
        {
          reference: 'access_token',
          order: 3,
          label: 'Admin API access token',
          data_type: 'str',
          type: 'secret',
          shown_when: shownForMethod(SECTION, 'token'),
          properties: { placeholder: 'shpat_…', min_length: 8 },
        },
      ],
    },
    ...buildOauthSections(SECTION, oauth),
  ],
}
