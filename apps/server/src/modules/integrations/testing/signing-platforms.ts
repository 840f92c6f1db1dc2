import { createHmac, randomUUID } from 'node:crypto'
import { hubspot } from '@trellis/connectors/hubspot/connector'
import { hubspotSimulator } from '@trellis/connectors/hubspot/simulator'
import { shopify } from '@trellis/connectors/shopify/connector'
import { shopifySimulator } from '@trellis/connectors/shopify/simulator'

export const CLIENT = { client_id: 'own-app', client_secret: 'own-app-secret' }
export const SHOP = 'my-shop.myshopify.com'
const TOKEN_HEADER = 'x-shopify-access-token'

export const toLocalConnectors = (address: string) => [
  { ...hubspot, code: 'hubspot_local', hosts: { api: address, app: address } },
  { ...shopify, code: 'shopify_local', hosts: { shop: address } },
]

export interface SigningPlatform {
  readonly forms: { readonly path: string; readonly form: URLSearchParams }[]
  givesLastingTokens: boolean
  revokeAll(): void
  answer(request: Request): Promise<Response>
}

export function createSigningPlatform(): SigningPlatform {
  const codes = new Set<string>()
  const access = new Set<string>()
  const refresh = new Set<string>()
  let given = 0
  const issueCode = () => {
    const code = randomUUID()
    codes.add(code)
    return code
  }
  const issue = (prefix: string) => {
    given += 1
    const tokens = { access_token: `${prefix}-access-${given}`, refresh_token: `${prefix}-refresh-${given}` }
    access.add(tokens.access_token)
    refresh.add(tokens.refresh_token)
    return tokens
  }
  const isClient = (form: URLSearchParams) =>
    form.get('client_id') === CLIENT.client_id && form.get('client_secret') === CLIENT.client_secret
  const isGranted = (form: URLSearchParams) =>
    form.get('grant_type') === 'refresh_token'
      ? refresh.has(form.get('refresh_token') ?? '')
      : codes.delete(form.get('code') ?? '')

  const issueHubspotTokens = (form: URLSearchParams): Response => {
    const refuse = (status: string) => Response.json({ status, message: 'refused' }, { status: 400 })
    if (!isClient(form)) return refuse('BAD_CLIENT_ID')
    if (!isGranted(form)) return refuse(form.has('code') ? 'BAD_AUTH_CODE' : 'BAD_REFRESH_TOKEN')
    const { access_token, refresh_token } = issue('hubspot')
    const kept = form.get('refresh_token') ?? refresh_token
    return Response.json({ access_token, refresh_token: kept, expires_in: 1800, token_type: 'bearer', hub_id: 1 })
  }
  const issueShopifyTokens = (form: URLSearchParams): Response => {
    const refuse = (error: string) => Response.json({ error, error_description: 'refused' }, { status: 400 })
    if (!isClient(form)) return refuse('application_cannot_be_found')
    if (!isGranted(form)) return refuse('invalid_request')
    refresh.delete(form.get('refresh_token') ?? '')
    const { access_token, refresh_token } = issue('shpat')
    if (platform.givesLastingTokens) return Response.json({ access_token, scope: 'read_orders' })
    if (form.has('code') && form.get('expiring') !== '1') return refuse('invalid_request')
    return Response.json({
      access_token,
      refresh_token,
      expires_in: 3600,
      refresh_token_expires_in: 7_776_000,
      scope: 'read_orders',
    })
  }
  const platform: SigningPlatform = {
    forms: [],
    givesLastingTokens: false,
    revokeAll() {
      access.clear()
      refresh.clear()
    },
    async answer(request) {
      const { pathname, searchParams } = new URL(request.url)
      if (pathname === '/oauth/authorize') return sendBack(searchParams, { code: issueCode() })
      if (pathname === '/admin/oauth/authorize') {
        const state = searchParams.get('state') ?? ''
        const signed = { code: issueCode(), host: 'YWRtaW4=', shop: SHOP, state, timestamp: '1794000000' }
        return sendBack(searchParams, { ...signed, hmac: sign(signed) })
      }
      const isHubspot = pathname === '/oauth/v3/token'
      if (isHubspot || pathname === '/admin/oauth/access_token') {
        const form = new URLSearchParams(await request.text())
        platform.forms.push({ path: pathname, form })
        return isHubspot ? issueHubspotTokens(form) : issueShopifyTokens(form)
      }
      const isShop = pathname.startsWith('/admin/api/')
      const token = isShop ? request.headers.get(TOKEN_HEADER) : request.headers.get('authorization')?.slice(7)
      if (!access.has(token ?? '')) return Response.json({ message: 'expired' }, { status: 401 })
      return isShop ? await shopifySimulator(request, 'shop') : await hubspotSimulator(request, 'api')
    },
  }
  return platform
}

export function sign(query: Readonly<Record<string, string>>): string {
  const message = Object.keys(query)
    .toSorted()
    .map((name) => `${name}=${encodeURIComponent(query[name] ?? '')}`)
    .join('&')
  return createHmac('sha256', CLIENT.client_secret).update(message).digest('hex')
}

function sendBack(asked: URLSearchParams, answer: Record<string, string>): Response {
  const target = new URL(asked.get('redirect_uri') ?? 'http://nowhere.invalid')
  target.searchParams.set('state', asked.get('state') ?? '')
  for (const [name, value] of Object.entries(answer)) target.searchParams.set(name, value)
  return new Response(null, { status: 302, headers: { location: target.href } })
}
