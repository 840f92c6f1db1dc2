import type { OAuth, SignedCallback } from '@trellis/connector-kit/connector'
import { ConnectorError } from '@trellis/connector-kit/connector-error'
import type { FormaValues } from '@trellis/contract/formas/forma'
import type { ConsentRules } from '../shared/consent-simulator.ts'

const AUTHORIZE_PATH = '/admin/oauth/authorize'
const TOKEN_PATH = '/admin/oauth/access_token'
export const SHOP_NAME = '^[A-Za-z0-9][A-Za-z0-9-]*$'

/** The client secret is sent there, so the name must be a single label before `.myshopify.com`. */
function findShopHost(values: FormaValues): string | undefined {
  const name = values['shop']?.['name']
  const isName = typeof name === 'string' && name.length <= 63 && new RegExp(SHOP_NAME, 'u').test(name)
  return isName ? `${name.toLowerCase()}.myshopify.com` : undefined
}

function getShopHost(values: FormaValues): string {
  const host = findShopHost(values)
  if (host !== undefined) return host
  throw new ConnectorError('configuration', 'The shop name is missing or not valid.', {
    advice: 'Enter only the part before .myshopify.com: letters, digits and dashes.',
    field: 'shop.name',
  })
}

/** Shopify's HMAC covers all parameters except `hmac`, sorted and encoded. */
async function verifyCallback(
  query: Readonly<Record<string, string>>,
  { values, clientSecret }: SignedCallback,
): Promise<boolean> {
  const { hmac = '', ...signed } = query
  const host = findShopHost(values)
  if (!/^[0-9a-f]{64}$/i.test(hmac) || host === undefined || signed['shop'] !== host) return false
  const parameters = new URLSearchParams(signed)
  parameters.sort()
  const message = parameters.toString().replaceAll('+', '%20')
  const encoder = new TextEncoder()
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  const key = await crypto.subtle.importKey('raw', encoder.encode(clientSecret), algorithm, false, ['verify'])
  const signature = Uint8Array.from(hmac.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
  return await crypto.subtle.verify('HMAC', key, signature, encoder.encode(message))
}

export const oauth: OAuth = {
  provider: 'Shopify',
  authorize: { host: 'shop', path: AUTHORIZE_PATH },
  token: { host: 'shop', path: TOKEN_PATH },
  scopes: ['read_orders', 'read_customers', 'read_products'],
  scopeSeparator: ',',
  // From 2027 on Shopify refuses non-expiring offline tokens to public apps.
  codeParameters: { expiring: '1' },
  baseFor: (values) => `https://${getShopHost(values)}`,
  verifyCallback,
}

export const SHOPIFY_CONSENT: ConsentRules = {
  provider: 'Shopify',
  authorizePath: AUTHORIZE_PATH,
  tokenPath: TOKEN_PATH,
  accessSeconds: 3600,
  hasRefresh: true,
  rotates: true,
  refreshSeconds: 90 * 86_400,
}
