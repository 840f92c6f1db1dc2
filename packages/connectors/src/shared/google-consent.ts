import type { OAuth } from '@trellis/connector-kit/connector'
import type { FormaElement, FormaSection } from '@trellis/contract/formas/forma'
import type { ConsentRules } from './consent-simulator.ts'

export const GOOGLE_CONSENT_HOSTS = {
  accounts: 'https://accounts.google.com',
  oauth: 'https://oauth2.googleapis.com',
} as const

/** `openid email` lets the product show who consented. */
export function googleOAuth(...scopes: readonly string[]): OAuth {
  return {
    provider: 'Google',
    authorize: { host: 'accounts', path: '/o/oauth2/v2/auth' },
    token: { host: 'oauth', path: '/token' },
    scopes: ['openid', 'email', ...scopes],
    // Without both, Google gives a refresh token only the very first time somebody consents.
    parameters: { access_type: 'offline', prompt: 'consent' },
  }
}

export const GOOGLE_CONSENT: ConsentRules = {
  provider: 'Google',
  authorizePath: '/o/oauth2/v2/auth',
  tokenPath: '/token',
  accessSeconds: 3599,
  hasRefresh: true,
}

interface ConsentWords {
  readonly provider: string
  readonly scopes: readonly string[]
  /** What can be pasted instead of giving consent. */
  readonly pasted: {
    readonly reference: 'refresh_token' | 'access_token'
    readonly label: string
    readonly help: string
  }
}

/** The sections every platform with consent begins with: the app, consent, and a token made elsewhere. */
export function consentSections({ provider, scopes, pasted }: ConsentWords): FormaSection[] {
  return [
    {
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
          properties: { max_length: 500 },
        },
        {
          reference: 'client_secret',
          order: 2,
          label: 'Client secret',
          data_type: 'str',
          type: 'secret',
          properties: { max_length: 500 },
        },
      ],
    },
    {
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
          properties: { provider, scopes: [...scopes] },
        },
      ],
    },
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

export const googleSections = ({ scopes }: OAuth): FormaSection[] =>
  consentSections({
    provider: 'Google',
    scopes,
    pasted: {
      reference: 'refresh_token',
      label: 'Refresh token',
      help: 'Made with the same client ID and client secret, for example in the OAuth 2.0 Playground of Google.',
    },
  })

interface DaysWords {
  readonly help: string
  readonly shownWhen?: FormaElement['shown_when']
}

/** The days to read, the same for every platform that keeps numbers by day. */
export const datesSection = (order: number, { help, shownWhen }: DaysWords): FormaSection => ({
  reference: 'dates',
  order,
  title: 'Days',
  is_required: true,
  elements: [
    {
      reference: 'range',
      order: 1,
      label: 'Days to read',
      help,
      data_type: 'date_range',
      type: 'historic_date_range',
      ...(shownWhen ? { shown_when: shownWhen } : {}),
      properties: {},
    },
  ],
})
