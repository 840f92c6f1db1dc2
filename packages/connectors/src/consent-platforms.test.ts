import { readFile } from 'node:fs/promises'
import type { Connector } from '@trellis/connector-kit/connector'
import { serveSimulator } from '@trellis/connector-kit/testing/local-host'
import { TEST_NOW, createTestContext } from '@trellis/connector-kit/testing/test-context'
import { Forma } from '@trellis/contract/formas/forma'
import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { googleAds } from './google_ads/connector.ts'
import { googleAnalytics } from './google_analytics/connector.ts'
import { googleSheets } from './google_sheets/connector.ts'
import { hubspot } from './hubspot/connector.ts'
import { metaAds } from './meta_ads/connector.ts'
import { shopify } from './shopify/connector.ts'

const values = {
  account: { method: 'oauth', developer_token: 'dev-token', login_customer_id: '1000000001' },
  shop: { name: 'my-shop', method: 'oauth' },
  spreadsheet: { address: 'https://docs.google.com/spreadsheets/d/sheet-12345/edit' },
}
const PLATFORMS: readonly (readonly [string, Connector])[] = [
  googleAds,
  googleAnalytics,
  googleSheets,
  metaAds,
  hubspot,
  shopify,
].map((connector) => [connector.code, connector])
const REDIRECT = 'https://trellis.example/sso/callback'
const VERIFIER = 'verifier-0123456789-0123456789-0123456789-abc'
const now = TEST_NOW

async function consent(connector: Connector, base: (host: string) => string, choice: string) {
  const { oauth } = connector
  if (!oauth) throw new Error(`${connector.code} asks for no consent`)
  const challenge = createHash('sha256').update(VERIFIER).digest('base64url')
  const asked = new URLSearchParams({
    client_id: 'app-1',
    redirect_uri: REDIRECT,
    response_type: 'code',
    scope: oauth.scopes.join(oauth.scopeSeparator ?? ' '),
    state: 'state-1',
    code_challenge: challenge,
    code_challenge_method: 'S256',
  })
  const page = await (await fetch(`${base(oauth.authorize.host)}${oauth.authorize.path}?${asked}`)).text()
  const [, link = ''] = new RegExp(`href="([^"]+)" aria-labelledby="${choice}"`).exec(page) ?? []
  const code = new URL(link.replaceAll('&amp;', '&')).searchParams.get('code') ?? ''
  const form = {
    grant_type: 'authorization_code',
    code,
    code_verifier: VERIFIER,
    redirect_uri: REDIRECT,
    client_id: 'app-1',
    client_secret: 'secret-1',
  }
  const answer = await fetch(`${base(oauth.token.host)}${oauth.token.path}`, {
    method: 'POST',
    body: new URLSearchParams(form),
  })
  return (await answer.json()) as { access_token: string; refresh_token?: string }
}

describe.each(PLATFORMS)('%s', (_code, connector) => {
  const buildHosts = (base: (host: string) => string) =>
    Object.fromEntries(Object.keys(connector.hosts).map((host) => [host, base(host)]))

  it('is linked and checked over HTTP, as the owner, as a stranger and as one who left', async () => {
    const { simulator } = connector
    if (!simulator) throw new Error(`${connector.code} has no simulator`)
    const server = await serveSimulator(simulator, now)
    try {
      const checkAs = async (choice: string) => {
        const { access_token } = await consent(connector, server.toBaseUrl, choice)
        return connector.check(
          createTestContext({ values, now, hosts: buildHosts(server.toBaseUrl), tokens: [access_token] }),
        )
      }
      expect((await checkAs('owner')).length).toBeGreaterThan(0)
      await expect(checkAs('stranger')).rejects.toMatchObject({
        kind: 'configuration',
        advice: expect.stringMatching(/\w/),
      })
      await expect(checkAs('leaver')).rejects.toMatchObject({
        kind: 'configuration',
        message: expect.stringContaining('access'),
      })
    } finally {
      await server.close()
    }
  })

  it('describes forms that can be drawn', () => {
    const formas = [
      connector.setupForma,
      ...(connector.source?.queryFormas ?? []),
      ...(connector.destination?.queryFormas ?? []),
    ]
    for (const forma of formas) expect(z.safeParse(Forma, forma).success, forma.forma_trellis_code).toBe(true)
    expect(connector.setupForma.sections.map(({ reference }) => reference)).toEqual(
      expect.arrayContaining(['app', 'consent']),
    )
  })

  it('has a guide that names the redirect URL and every scope, and a small drawing', async () => {
    const folder = new URL(`./${connector.code}/`, import.meta.url)
    const guide = await readFile(new URL('README.md', folder), 'utf8')
    expect(guide).toContain('/sso/callback')
    const special = connector.oauth?.scopes.filter((scope) => !['openid', 'email'].includes(scope)) ?? []
    for (const scope of special) expect(guide).toContain(scope)
    const icon = await readFile(new URL('icon.svg', folder), 'utf8')
    expect(icon).toMatch(/^<svg [^>]*viewBox="0 0 24 24"/)
    expect(icon).not.toMatch(/<script|href=|on\w+=/i)
    expect(icon.length).toBeLessThan(2000)
  })
})
