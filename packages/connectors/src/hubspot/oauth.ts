import type { OAuth } from '@trellis/connector-kit/connector'
import type { ConsentRules } from '../shared/consent-simulator.ts'

/** v3 accepts the client secret in the body only; v1 is deprecated. */
const TOKEN_PATH = '/oauth/v3/token'

export const oauth: OAuth = {
  provider: 'HubSpot',
  authorize: { host: 'app', path: '/oauth/authorize' },
  token: { host: 'api', path: TOKEN_PATH },
  scopes: ['oauth', 'crm.objects.contacts.read', 'crm.objects.companies.read', 'crm.objects.deals.read'],
}

export const HUBSPOT_CONSENT: ConsentRules = {
  provider: 'HubSpot',
  authorizePath: '/oauth/authorize',
  tokenPath: TOKEN_PATH,
  accessSeconds: 1800,
  hasRefresh: true,
}
