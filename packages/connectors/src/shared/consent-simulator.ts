import { getSimulatorTime } from '@trellis/connector-kit/simulate'
import { buildConsentPage, buildRefusalPage } from './consent-page.ts'
import type { Holder, SimulatedGrant } from './consent-tokens.ts'
import { HOLDERS, decodeGrant, encodeGrant, toBase64Url } from './consent-tokens.ts'
import { jsonAnswer } from './hash-values.ts'

export interface ConsentRules {
  readonly provider: string
  readonly authorizePath: string
  readonly tokenPath: string
  readonly accessSeconds: number
  /** The code's token is short-lived; this grant exchanges it for a long-lived one. */
  readonly longLived?: { readonly grant: string; readonly parameter: string; readonly shortSeconds: number }
  readonly hasRefresh: boolean
  readonly rotates?: true
  readonly refreshSeconds?: number
  /** The provider's error body; `{ error, error_description }` by default. */
  readonly refusal?: (error: string, description: string) => unknown
}

const CODE_SECONDS = 600

export async function answerConsent(request: Request, rules: ConsentRules): Promise<Response | null> {
  const { pathname, searchParams } = new URL(request.url)
  if (pathname === rules.authorizePath) return authorize(request, searchParams, rules)
  if (pathname !== rules.tokenPath) return null
  const sent = request.method === 'POST' ? new URLSearchParams(await request.text()) : searchParams
  return issueTokens(sent, getSimulatorTime(request), rules)
}

function authorize(request: Request, asked: URLSearchParams, rules: ConsentRules): Promise<Response> {
  const redirect = asked.get('redirect_uri') ?? ''
  const challenge = asked.get('code_challenge')
  const problem = findRequestProblem(asked, redirect)
  if (problem) return buildRefusalPage(rules.provider, problem)
  const scope = asked.get('scope') ?? ''
  const ends = Math.floor(getSimulatorTime(request).getTime() / 1000) + CODE_SECONDS
  const client = asked.get('client_id') ?? ''
  const back = (answer: Record<string, string>) => {
    const url = new URL(redirect)
    for (const [name, value] of Object.entries({ ...answer, state: asked.get('state') ?? '' }))
      url.searchParams.set(name, value)
    return url.toString()
  }
  const codeFor = (holder: Holder) =>
    encodeGrant({ kind: 'code', client, scope, holder, ends, redirect, ...(challenge === null ? {} : { challenge }) })
  const links = Object.fromEntries(HOLDERS.map((holder) => [holder, back({ code: codeFor(holder) })])) as Record<
    Holder,
    string
  >
  return buildConsentPage({
    provider: rules.provider,
    scopes: scope.split(/[\s,]+/).filter(Boolean),
    links,
    deny: back({ error: 'access_denied' }),
  })
}

function findRequestProblem(asked: URLSearchParams, redirect: string): string | null {
  if (!asked.get('client_id')) return 'The request names no client_id.'
  if (asked.get('response_type') !== 'code') return 'The request must ask for response_type=code.'
  // Anyone can craft a link to this page, so it must not be an open redirect.
  const isOurs =
    URL.canParse(redirect) &&
    /^https?:$/.test(new URL(redirect).protocol) &&
    new URL(redirect).pathname.endsWith('/sso/callback')
  if (!isOurs) return 'The redirect_uri is not the one that is registered (redirect_uri_mismatch).'
  const method = asked.get('code_challenge_method')
  return asked.has('code_challenge') && method !== 'S256' ? 'The code_challenge_method must be S256.' : null
}

async function issueTokens(sent: URLSearchParams, now: Date, rules: ConsentRules): Promise<Response> {
  const refuse = (error: string, description: string, status = 400) =>
    jsonAnswer(rules.refusal?.(error, description) ?? { error, error_description: description }, status)
  const client = sent.get('client_id') ?? ''
  if (client === '' || !sent.get('client_secret'))
    return refuse('invalid_client', 'The client id or secret is missing.', 401)
  if (/^wrong/i.test(client) || /^wrong/i.test(sent.get('client_secret') ?? '')) {
    return refuse('invalid_client', 'The OAuth client was not found.', 401)
  }
  const type = sent.get('grant_type') ?? 'authorization_code'
  const grant = await findGrant(sent, { type, client, now }, rules)
  if (grant === undefined) return refuse('unsupported_grant_type', `Invalid grant_type: ${type}`)
  if (typeof grant === 'string') return refuse('invalid_grant', grant)
  return jsonAnswer(tokensFor({ ...grant, client }, { isCode: type === 'authorization_code', now }, rules))
}

async function findGrant(
  sent: URLSearchParams,
  { type, client, now }: { type: string; client: string; now: Date },
  { hasRefresh, longLived }: ConsentRules,
): Promise<SimulatedGrant | string | undefined> {
  if (type === 'authorization_code') return await findGrantByCode(sent, now)
  if (type === 'refresh_token' && hasRefresh) return findGrantByRefreshToken(sent.get('refresh_token') ?? '')
  if (longLived && type === longLived.grant)
    return findGrantByAccessToken(sent.get(longLived.parameter) ?? '', client, now)
  return undefined
}

function findGrantByAccessToken(token: string, client: string, now: Date): SimulatedGrant | string {
  const grant = decodeGrant(token)
  if (grant?.kind !== 'access') return 'The access token could not be decrypted.'
  if (grant.client !== client) return 'The access token belongs to another app.'
  return (grant.ends ?? 0) * 1000 <= now.getTime() ? 'The session has expired.' : grant
}

async function findGrantByCode(sent: URLSearchParams, now: Date): Promise<SimulatedGrant | string> {
  const grant = decodeGrant(sent.get('code') ?? '')
  if (grant?.kind !== 'code') return 'Malformed auth code.'
  if ((grant.ends ?? 0) * 1000 <= now.getTime()) return 'The code has expired.'
  if (grant.redirect !== sent.get('redirect_uri')) return 'The redirect_uri does not match the one of the code.'
  if (grant.client !== sent.get('client_id')) return 'The code was given to another client.'
  if (grant.challenge !== undefined && grant.challenge !== (await computeChallenge(sent.get('code_verifier') ?? ''))) {
    return 'Invalid code verifier.'
  }
  return grant
}

async function computeChallenge(verifier: string): Promise<string> {
  return toBase64Url(new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier))))
}

/** A pasted refresh token is valid, unless its text says otherwise. */
function findGrantByRefreshToken(token: string): SimulatedGrant | string {
  const grant = decodeGrant(token)
  if (grant?.kind === 'refresh' && grant.holder !== 'leaver') return grant
  if (grant || token === '' || /^(wrong|revoked|expired)/i.test(token)) return 'Token has been expired or revoked.'
  return { kind: 'refresh', client: '', scope: '', holder: /^stranger/i.test(token) ? 'stranger' : 'owner', ends: null }
}

function tokensFor(grant: SimulatedGrant, how: { isCode: boolean; now: Date }, rules: ConsentRules) {
  const { client, scope, holder, turn = 0 } = grant
  // A user who revokes consent does so at once: the first request is refused.
  const lasts = how.isCode && rules.longLived ? rules.longLived.shortSeconds : rules.accessSeconds
  const seconds = holder === 'leaver' ? 0 : lasts
  const ends = Math.floor(how.now.getTime() / 1000) + seconds
  const hasNewRefresh = rules.hasRefresh && (how.isCode || rules.rotates === true)
  const nextTurn = how.isCode ? 0 : turn + 1
  return {
    access_token: encodeGrant({ kind: 'access', client, scope, holder, ends }),
    ...(hasNewRefresh
      ? { refresh_token: encodeGrant({ kind: 'refresh', client, scope, holder, ends: null, turn: nextTurn }) }
      : {}),
    ...(hasNewRefresh && rules.refreshSeconds !== undefined ? { refresh_token_expires_in: rules.refreshSeconds } : {}),
    expires_in: lasts,
    token_type: rules.hasRefresh ? 'Bearer' : 'bearer',
    ...(scope === '' ? {} : { scope }),
    ...(how.isCode ? { id_token: createIdToken(holder) } : {}),
  }
}

function createIdToken(holder: Holder): string {
  const part = (value: unknown) => toBase64Url(new TextEncoder().encode(JSON.stringify(value)))
  return `${part({ alg: 'none' })}.${part({ email: `${holder}@simulation.example`, sub: holder })}.`
}
