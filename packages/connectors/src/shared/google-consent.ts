import type { OAuth } from '@trellis/connector-kit/connector'
import type { FormaSection } from '@trellis/contract/formas/forma'
import { buildConsentSections } from './consent-sections.ts'
import type { ConsentRules } from './consent-simulator.ts'

export const GOOGLE_CONSENT_HOSTS = {
  accounts: 'https://accounts.google.com',
  oauth: 'https://oauth2.googleapis.com',
} as const

export function buildGoogleOAuth(...scopes: readonly string[]): OAuth {
  return {
    provider: 'Google',
    authorize: { host: 'accounts', path: '/o/oauth2/v2/auth' },
    token: { host: 'oauth', path: '/token' },
    scopes: ['openid', 'email', ...scopes],
    // Otherwise Google returns a refresh token only on the very first consent.
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

export const buildGoogleSections = ({ scopes }: OAuth): FormaSection[] =>
  buildConsentSections({
    provider: 'Google',
    scopes,
    pasted: {
      reference: 'refresh_token',
      label: 'Refresh token',
      help: 'Made with the same client ID and client secret, for example in the OAuth 2.0 Playground of Google.',
    },
  })
