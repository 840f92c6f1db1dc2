import { describe, expect, it } from 'vitest'
import { answerConsent } from './consent-simulator.ts'
import type { ConsentRules } from './consent-simulator.ts'
import { getAccess, decodeGrant } from './consent-tokens.ts'
import { GOOGLE_CONSENT } from './google-consent.ts'

const VERIFIER = 'a-verifier-that-is-long-enough-to-be-one-0123456789'
const CHALLENGE = await challenge(VERIFIER)
const REDIRECT = 'https://trellis.example/sso/callback'
const NOW = '2026-11-10T12:00:00.000Z'

async function challenge(verifier: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier))
  return Buffer.from(digest).toString('base64url')
}

const asked = (changes: Record<string, string> = {}) =>
  new URLSearchParams({
    client_id: 'app-1',
    redirect_uri: REDIRECT,
    response_type: 'code',
    scope: 'openid <b>email</b>',
    state: 'state-1',
    code_challenge: CHALLENGE,
    code_challenge_method: 'S256',
    ...changes,
  })

async function openPage(changes: Record<string, string> = {}) {
  const answer = await answerConsent(
    new Request(`https://sim.example/o/oauth2/v2/auth?${asked(changes)}`, { headers: { 'x-simulator-now': NOW } }),
    GOOGLE_CONSENT,
  )
  const html = (await answer?.text()) ?? ''
  const links = [...html.matchAll(/href="([^"]+)"/g)].map(([, link = '']) => new URL(link.replaceAll('&amp;', '&')))
  return { answer, html, links }
}

async function tokens(form: Record<string, string>, rules: ConsentRules = GOOGLE_CONSENT, now = NOW) {
  const body = new URLSearchParams({ client_id: 'app-1', client_secret: 'secret-1', ...form })
  const answer = await answerConsent(
    new Request('https://sim.example/token', { method: 'POST', body, headers: { 'x-simulator-now': now } }),
    rules,
  )
  return { status: answer?.status, body: (await answer?.json()) as Record<string, string> }
}

async function codeFor(index: number): Promise<string> {
  const { links } = await openPage()
  return links[index]?.searchParams.get('code') ?? ''
}

const exchange = (code: string, changes: Record<string, string> = {}) =>
  tokens({ grant_type: 'authorization_code', code, redirect_uri: REDIRECT, code_verifier: VERIFIER, ...changes })

describe('the consent page', () => {
  it('says that it is a simulation, and offers to allow and to deny', async () => {
    const { answer, html, links } = await openPage()
    expect(answer?.status).toBe(200)
    expect(html).toContain('This is a simulation inside Trellis')
    expect(html).toMatch(/<strong id="owner">Allow<\/strong>[\s\S]*<strong id="deny">Deny<\/strong>/)
    expect(links).toHaveLength(4)
    for (const link of links)
      expect(`${link.origin}${link.pathname} ${link.searchParams.get('state')}`).toBe(`${REDIRECT} state-1`)
    expect(links[3]?.searchParams.get('error')).toBe('access_denied')
  })

  it('shows what was asked as text, and runs no script', async () => {
    const { answer, html } = await openPage()
    expect(html).toContain('&lt;b&gt;email&lt;/b&gt;')
    expect(answer?.headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'sha256-[\w+/]+='/)
  })

  it.each([
    [{ redirect_uri: 'https://elsewhere.example/' }, 'redirect_uri_mismatch'],
    [{ redirect_uri: 'javascript:alert(1)//sso/callback' }, 'redirect_uri_mismatch'],
    [{ client_id: '' }, 'client_id'],
    [{ response_type: 'token' }, 'response_type'],
    [{ code_challenge_method: 'plain' }, 'S256'],
  ])('refuses %j', async (changes, said) => {
    const { answer, html, links } = await openPage(changes)
    expect(answer?.status).toBe(400)
    expect(html).toContain(said)
    expect(links).toEqual([])
  })
})

describe('the token endpoint', () => {
  it('gives tokens for a code, and who consented', async () => {
    const { status, body } = await exchange(await codeFor(0))
    expect(status).toBe(200)
    expect(getAccess(body['access_token'] ?? '', new Date(NOW))).toEqual({ state: 'good', holder: 'owner' })
    expect(getAccess(body['access_token'] ?? '', new Date('2026-11-10T13:00:00Z'))).toEqual({ state: 'expired' })
    const claims = Buffer.from(body['id_token']?.split('.')[1] ?? '', 'base64url').toString()
    expect(JSON.parse(claims)).toMatchObject({ email: 'owner@simulation.example' })
  })

  it.each([
    [{ code_verifier: 'another' }, 'invalid_grant'],
    [{ redirect_uri: 'https://trellis.example/other/sso/callback' }, 'invalid_grant'],
    [{ client_id: 'app-2' }, 'invalid_grant'],
    [{ client_secret: 'wrong' }, 'invalid_client'],
    [{ client_secret: '' }, 'invalid_client'],
    [{ grant_type: 'password' }, 'unsupported_grant_type'],
  ])('refuses a code with %j', async (changes, error) => {
    const { status, body } = await exchange(await codeFor(0), changes)
    expect(status).toBeGreaterThanOrEqual(400)
    expect(body).toMatchObject({ error })
  })

  it('refuses a code that has ended, one that was made up, and a token in place of a code', async () => {
    const code = await codeFor(0)
    const late = await tokens(
      { grant_type: 'authorization_code', code, redirect_uri: REDIRECT, code_verifier: VERIFIER },
      GOOGLE_CONSENT,
      '2026-11-10T12:11:00Z',
    )
    expect(late.body).toMatchObject({ error: 'invalid_grant' })
    const { body } = await exchange(code)
    for (const wrong of ['sim.made-up', body['access_token'] ?? ''])
      expect((await exchange(wrong)).body).toMatchObject({ error: 'invalid_grant' })
  })

  it('renews an access token, and the refresh token where the provider does', async () => {
    const { body } = await exchange(await codeFor(0))
    const refresh = { grant_type: 'refresh_token', refresh_token: body['refresh_token'] ?? '' }
    const plain = await tokens(refresh)
    expect(plain.body['refresh_token']).toBeUndefined()
    expect(decodeGrant(plain.body['access_token'] ?? '')).toMatchObject({ kind: 'access', holder: 'owner' })
    const rotated = await tokens(refresh, { ...GOOGLE_CONSENT, rotates: true })
    expect(decodeGrant(rotated.body['refresh_token'] ?? '')).toMatchObject({ kind: 'refresh', turn: 1 })
  })

  it('refuses whoever took consent back, from the first call on', async () => {
    const { body } = await exchange(await codeFor(2))
    expect(getAccess(body['access_token'] ?? '', new Date(NOW))).toEqual({ state: 'expired' })
    const renewed = await tokens({ grant_type: 'refresh_token', refresh_token: body['refresh_token'] ?? '' })
    expect(renewed).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
  })

  it('says no in the words of the provider', async () => {
    const rules = {
      ...GOOGLE_CONSENT,
      refusal: (error: string, message: string) => ({ error: { type: error, message } }),
    }
    expect((await tokens({ grant_type: 'refresh_token', refresh_token: 'revoked' }, rules)).body).toMatchObject({
      error: { type: 'invalid_grant' },
    })
  })
})

describe('a provider whose codes bring tokens that end soon', () => {
  const rules: ConsentRules = {
    ...GOOGLE_CONSENT,
    accessSeconds: 60 * 86_400,
    longLived: { grant: 'swap', parameter: 'short_token', shortSeconds: 7200 },
    hasRefresh: false,
  }
  const code = (given: string) =>
    tokens({ grant_type: 'authorization_code', code: given, redirect_uri: REDIRECT, code_verifier: VERIFIER }, rules)
  const swap = (short_token: string, changes: Record<string, string> = {}, now = NOW) =>
    tokens({ grant_type: 'swap', short_token, ...changes }, rules, now)

  it('exchanges them while they last, for the app they were given to', async () => {
    const short = await code(await codeFor(0))
    expect(short.body).toMatchObject({ expires_in: 7200 })
    expect(short.body['refresh_token']).toBeUndefined()
    const token = short.body['access_token'] ?? ''
    const lasting = await swap(token)
    expect(lasting.body).toMatchObject({ expires_in: 60 * 86_400 })
    const inAMonth = new Date('2026-12-10T12:00:00.000Z')
    expect(getAccess(token, inAMonth).state).toBe('expired')
    expect(getAccess(lasting.body['access_token'] ?? '', inAMonth).state).toBe('good')
    expect((await swap(token, {}, '2026-11-10T15:00:00.000Z')).status).toBe(400)
    expect((await swap(token, { client_id: 'app-2' })).status).toBe(400)
    expect((await swap('anything')).status).toBe(400)
    expect((await tokens({ grant_type: 'swap', short_token: token })).body).toMatchObject({
      error: 'unsupported_grant_type',
    })
  })
})
