import type { FormaElement, FormaSection, FormaValues } from '@trellis/contract/formas/forma'

interface Provider {
  readonly provider: string
  readonly scopes: readonly string[]
}

interface ConsentWords extends Provider {
  readonly pasted: {
    readonly reference: 'refresh_token' | 'access_token'
    readonly label: string
    readonly help: string
  }
}

type ShownWhen = FormaElement['shown_when']

const whenShown = (shownWhen: ShownWhen) => (shownWhen ? { shown_when: shownWhen } : {})

const appSection = (provider: string, shownWhen?: ShownWhen): FormaSection => ({
  reference: 'app',
  order: 1,
  title: `Your app at ${provider}`,
  description: `Register an app at ${provider} with the redirect URL shown here; the guide says how, step by step.`,
  is_required: true,
  elements: [
    {
      reference: 'client_id',
      order: 1,
      label: 'Client ID',
      data_type: 'str',
      type: 'text',
      ...whenShown(shownWhen),
      properties: { max_length: 500 },
    },
    {
      reference: 'client_secret',
      order: 2,
      label: 'Client secret',
      data_type: 'str',
      type: 'secret',
      ...whenShown(shownWhen),
      properties: { max_length: 500 },
    },
  ],
})

const linkSection = ({ provider, scopes }: Provider, shownWhen?: ShownWhen): FormaSection => ({
  reference: 'consent',
  order: 2,
  title: 'Consent',
  is_required: false,
  elements: [
    {
      reference: 'link',
      order: 1,
      label: `Link with ${provider}`,
      data_type: 'str',
      type: 'oauth_link',
      ...whenShown(shownWhen),
      properties: { provider, scopes: [...scopes] },
    },
  ],
})

export function buildConsentSections({ provider, scopes, pasted }: ConsentWords): FormaSection[] {
  return [
    appSection(provider),
    linkSection({ provider, scopes }),
    {
      reference: 'token',
      order: 9,
      title: 'A token made elsewhere',
      description: 'Only when you cannot give consent on this page.',
      is_required: false,
      elements: [
        {
          reference: pasted.reference,
          order: 1,
          label: pasted.label,
          help: pasted.help,
          data_type: 'str',
          type: 'secret',
          is_optional: true,
          properties: { max_length: 4000 },
        },
      ],
    },
  ]
}

export const buildMethodElement = (order: number, tokenLabel: string): FormaElement => ({
  reference: 'method',
  order,
  label: 'Sign in with',
  data_type: 'str',
  type: 'select',
  default: 'token',
  properties: {
    options: [
      { value: 'token', label: tokenLabel },
      { value: 'oauth', label: 'OAuth' },
    ],
  },
})

export const shownForMethod = (section: string, method: 'token' | 'oauth') => ({
  section,
  element: 'method',
  values: [method],
})

export const usesOauth = (values: FormaValues, section: string): boolean => values[section]?.['method'] === 'oauth'

export const buildOauthSections = (section: string, provider: Provider): FormaSection[] => [
  appSection(provider.provider, shownForMethod(section, 'oauth')),
  linkSection(provider, shownForMethod(section, 'oauth')),
]
