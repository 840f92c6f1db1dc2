import { createHash } from 'node:crypto'
import { type Connector, defineConnector } from '@trellis/connector-kit/connector'
import { sampleConnector } from './sample-connector.ts'

const text = { order: 1, data_type: 'str', properties: {}, is_optional: true } as const

export function oauthConnector(hosts: Record<string, string>, more: Partial<Connector> = {}): Connector {
  const base = sampleConnector('oauth_for_tests', async (context) => {
    const token = await context.accessToken()
    return [{ label: 'Account', value: `known by ${token.length} characters` }]
  })
  return defineConnector({
    ...base,
    hosts,
    setupForma: {
      forma_trellis_code: 'oauth_setup',
      title: 'Connect',
      sections: [
        {
          reference: 'app',
          order: 1,
          title: 'Your app',
          is_required: true,
          elements: [
            { ...text, type: 'text', reference: 'client_id', label: 'Client id', is_optional: false },
            { ...text, type: 'secret', reference: 'client_secret', label: 'Client secret', is_optional: false },
          ],
        },
        {
          reference: 'consent',
          order: 2,
          title: 'Consent',
          is_required: true,
          elements: [
            {
              ...text,
              type: 'oauth_link',
              reference: 'link',
              label: 'Link',
              properties: { provider: 'G', scopes: [] },
            },
          ],
        },
        {
          reference: 'token',
          order: 3,
          title: 'Token',
          is_required: false,
          elements: [
            { ...text, type: 'secret', reference: 'refresh_token', label: 'Refresh token' },
            { ...text, type: 'secret', reference: 'access_token', label: 'Access token' },
          ],
        },
      ],
    },
    oauth: {
      provider: 'Google',
      authorize: { host: 'accounts', path: '/auth' },
      token: { host: 'accounts', path: '/token' },
      scopes: ['read', 'email'],
      parameters: { access_type: 'offline' },
      consentDays: 90,
    },
    simulator: provider().answer,
    ...more,
  })
}

export interface Provider {
  readonly asked: URLSearchParams[]
  refuse: { status: number; body: object } | undefined
  lifetime: number
  answer(request: Request): Promise<Response>
}

export function provider(): Provider {
  let given = 0
  const used = new Set<string>()
  const state: Provider = {
    asked: [],
    refuse: undefined,
    lifetime: 3600,
    answer: async (request) => {
      const url = new URL(request.url)
      if (url.pathname === '/auth' && request.method === 'GET') return page(url)
      if (url.pathname === '/auth') return consented(new URLSearchParams(await request.text()))
      if (url.pathname !== '/token') return new Response('?', { status: 404 })
      const form = new URLSearchParams(await request.text())
      state.asked.push(form)
      if (state.refuse) return Response.json(state.refuse.body, { status: state.refuse.status })
      if (form.get('grant_type') === LASTING.grant) return swapped(form.get(LASTING.parameter) ?? '')
      const isRight = form.get('grant_type') === 'refresh_token' ? isUsable(form) : isOwnCode(form)
      if (!isRight) return Response.json({ error: 'invalid_grant' }, { status: 400 })
      given += 1
      const email = Buffer.from(JSON.stringify({ email: 'ada@example.com' })).toString('base64url')
      return Response.json({
        access_token: `access-token-${given}`,
        refresh_token: `refresh-token-${given}`,
        expires_in: state.lifetime,
        id_token: `x.${email}.y`,
      })
    },
  }
  const isUsable = (form: URLSearchParams) => {
    const token = form.get('refresh_token') ?? ''
    return !used.has(token) && Boolean(used.add(token))
  }
  return state
}

export const LASTING = { grant: 'swap_token', parameter: 'short_token' }

const swapped = (short: string) =>
  short.startsWith('access-token-')
    ? Response.json({ access_token: `lasting-for-${short}`, expires_in: 50 * 86_400 })
    : Response.json({ error: 'invalid_grant' }, { status: 400 })

const toAuthorizationCode = (challenge: string) => `code-of-${challenge}`

function isOwnCode(form: URLSearchParams): boolean {
  const challenge = createHash('sha256')
    .update(form.get('code_verifier') ?? '')
    .digest('base64url')
  return form.get('code') === toAuthorizationCode(challenge)
}

function page(url: URL): Response {
  const fields = [...url.searchParams].map(([name, value]) => `<input type="hidden" name="${name}" value="${value}">`)
  const html = `<form method="post">${fields.join('')}<button>Allow</button></form>`
  return new Response(html, { headers: { 'content-type': 'text/html; charset=utf-8', 'set-cookie': 'planted=1' } })
}

function consented(form: URLSearchParams): Response {
  const target = new URL(form.get('redirect_uri') ?? 'http://nowhere.invalid')
  target.searchParams.set('state', form.get('state') ?? '')
  target.searchParams.set('code', toAuthorizationCode(form.get('code_challenge') ?? ''))
  return new Response(null, { status: 302, headers: { location: target.href } })
}
