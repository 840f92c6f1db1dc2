import { transaction } from '@trellis/control-db/database'
import { Email } from '@trellis/contract/identity/identity.schemas'
import * as oidc from 'openid-client'
import { generateTrellisCode } from '../../platform/trellis-code.ts'
import * as z from 'zod/mini'
import { queueMail } from '../../platform/mail/queue-mail.ts'
import { signInMethodAddedMail } from '../../platform/mail/templates/sign-in-method-added.ts'
import { AppError } from '../../platform/app-error.ts'
import type { Config } from '../../platform/config.ts'
import type { PublicCtx } from '../../platform/ctx.ts'
import { writeSignIn } from '../audit/audit.service.ts'
import { hashSecret, isSameHash, generateSecret } from './codes.ts'
import { type ProfileRow, findProfileByEmail, insertProfile } from './identity.repository.ts'
import { openSession } from './sessions.ts'
import { findLinkedProfile, insertIdentityLink, insertSsoAttempt, consumeSsoAttempt } from './sso.repository.ts'

const BROWSER_COOKIE = 'trellis_sso'
const BROWSER_PATH = '/api/sso'
const ATTEMPT_SECONDS = 600

type Provider = NonNullable<Config['oidc']>
const discovered = new Map<string, Promise<oidc.Configuration>>()

async function discover(provider: Provider): Promise<oidc.Configuration> {
  const known = discovered.get(provider.issuer)
  if (known) return await known
  const issuer = new URL(provider.issuer)
  const isLocal = issuer.protocol === 'http:'
  const pending = oidc.discovery(issuer, provider.clientId, provider.clientSecret, undefined, {
    timeout: 10,
    ...(isLocal ? { execute: [oidc.allowInsecureRequests] } : {}),
  })
  discovered.set(provider.issuer, pending)
  pending.catch(() => discovered.delete(provider.issuer))
  return await pending
}

function getProvider(ctx: PublicCtx): Provider {
  const provider = ctx.ports.config.oidc
  if (!provider)
    throw new AppError('sso_not_configured', 'Single sign-on is not set up here. Sign in with your password.')
  return provider
}

const redirectUri = (ctx: PublicCtx) => `${ctx.ports.config.publicUrl}/sso/callback`

export async function describeSso(ctx: PublicCtx) {
  const provider = ctx.ports.config.oidc
  return { enabled: provider !== undefined, name: provider?.name ?? null }
}

export async function startSso(ctx: PublicCtx) {
  const provider = getProvider(ctx)
  const configuration = await discover(provider).catch((error: unknown) => {
    throw ssoError(ctx, 'The identity provider is not reachable right now. Try again in a moment.', error)
  })
  const state = generateSecret()
  const browser = generateSecret()
  const nonce = generateSecret()
  const code_verifier = oidc.randomPKCECodeVerifier()
  await insertSsoAttempt(ctx, {
    state_hash: hashSecret(state),
    browser_hash: hashSecret(browser),
    nonce,
    code_verifier,
    expires_at: new Date(ctx.clock.now().getTime() + ATTEMPT_SECONDS * 1000),
  })
  ctx.http.setCookie(BROWSER_COOKIE, browser, { path: BROWSER_PATH, maxAgeSeconds: ATTEMPT_SECONDS })
  const url = oidc.buildAuthorizationUrl(configuration, {
    redirect_uri: redirectUri(ctx),
    scope: 'openid email profile',
    state,
    nonce,
    code_challenge: await oidc.calculatePKCECodeChallenge(code_verifier),
    code_challenge_method: 'S256',
  })
  return { url: url.href }
}

type Callback = Record<
  'state' | 'code' | 'auth_code' | 'iss' | 'error' | 'error_description' | 'session_state' | 'scope',
  string | undefined
>

/** State, browser and nonce must match this browser's attempt. */
export async function finishSso(ctx: PublicCtx, query: Partial<Callback>) {
  const provider = getProvider(ctx)
  const browser = ctx.http.cookie(BROWSER_COOKIE)
  ctx.http.setCookie(BROWSER_COOKIE, null, { path: BROWSER_PATH })
  const attempt = query.state ? await consumeSsoAttempt(ctx, hashSecret(query.state)) : undefined
  if (!attempt || !browser || !isSameHash(attempt.browser_hash, hashSecret(browser))) {
    throw ssoError(ctx, 'This sign-in was not started in this browser, or it took too long. Start again.')
  }
  if (query.error) throw ssoError(ctx, 'The identity provider did not sign you in. Start again.')
  const address = new URL(redirectUri(ctx))
  const answer = { code: query.code ?? query.auth_code, state: query.state, iss: query.iss }
  for (const [name, value] of Object.entries(answer)) if (value !== undefined) address.searchParams.set(name, value)
  const claims = await exchangeCode(provider, address, { ...attempt, state: query.state as string }).catch(
    (error: unknown) => {
      throw ssoError(ctx, 'The identity provider did not confirm the sign-in. Start again.', error)
    },
  )
  const profile = await findOrMakeProfile(ctx, claims)
  const token = await openSession(ctx, profile)
  await writeSignIn(ctx, {
    action: 'signIn',
    outcome: 'done',
    profileId: profile.id,
    detail: { by: 'sso' },
    ip: ctx.http.ip,
    requestId: ctx.requestId,
  })
  return token
}

interface Claims {
  readonly [claim: string]: unknown
  readonly issuer: string
  readonly subject: string
}

async function exchangeCode(
  provider: Provider,
  address: URL,
  attempt: { nonce: string; code_verifier: string; state: string },
): Promise<Claims> {
  const configuration = await discover(provider)
  const tokens = await oidc.authorizationCodeGrant(configuration, address, {
    pkceCodeVerifier: attempt.code_verifier,
    expectedNonce: attempt.nonce,
    expectedState: attempt.state,
    idTokenExpected: true,
  })
  const claims = tokens.claims() as oidc.IDToken
  const info =
    claims['email'] === undefined ? await oidc.fetchUserInfo(configuration, tokens.access_token, claims.sub) : claims
  return { ...info, issuer: claims.iss, subject: claims.sub }
}

/** A known subject signs in; a verified email is linked once; an unverified one is refused. */
async function findOrMakeProfile(ctx: PublicCtx, claims: Claims): Promise<ProfileRow> {
  const link = { issuer: claims.issuer, subject: claims.subject }
  const linked = await findLinkedProfile(ctx, link)
  if (linked) return linked
  const email = z.safeParse(Email, claims['email']).data
  if (!email || claims['email_verified'] !== true) {
    throw ssoError(ctx, 'The identity provider did not confirm your e-mail address, so it can not be used here.')
  }
  return await transaction(ctx, async (ctx) => {
    const made = await insertProfile(ctx, {
      trellis_user_code: generateTrellisCode(),
      email,
      first_name: cleanName(claims['given_name']) ?? cleanName(claims['name']) ?? email.split('@')[0] ?? email,
      surname: cleanName(claims['family_name']) ?? '',
      password_hash: null,
    })
    const profile = made ?? (await findProfileByEmail(ctx, email))
    if (!profile) throw new AppError('sso_failed')
    if (!(await insertIdentityLink(ctx, { ...link, profile_id: profile.id }))) {
      throw ssoError(
        ctx,
        'Your profile belongs to another person at the identity provider. Sign in with your password.',
      )
    }
    if (!made) await notifyOwner(ctx, profile)
    return profile
  })
}

/** Mailboxes change hands: the profile's owner is notified of the new sign-in. */
async function notifyOwner(ctx: PublicCtx, profile: ProfileRow): Promise<void> {
  const { publicUrl, oidc: provider } = ctx.ports.config
  const mail = signInMethodAddedMail({
    firstName: profile.first_name,
    method: provider?.name ?? 'single sign-on',
    publicUrl,
  })
  await queueMail(ctx, { to: profile.email, mail })
}

function cleanName(value: unknown): string | undefined {
  const text =
    typeof value === 'string'
      ? value
          .replaceAll(/[\p{Cc}\p{Cf}]/gu, '')
          .trim()
          .slice(0, 100)
      : ''
  return text === '' ? undefined : text
}

function ssoError(ctx: PublicCtx, detail: string, cause?: unknown): AppError {
  ctx.log.warn({ err: cause }, `single sign-on failed: ${detail}`)
  return new AppError('sso_failed', detail, { cause })
}
