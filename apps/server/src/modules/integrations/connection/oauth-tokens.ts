import { ConnectorError } from '@trellis/connector-kit/connector-error'
import * as z from 'zod/mini'
import type { OauthApp } from '../../../platform/config.ts'
import { APP_SECTION, operatorsApp } from '../platforms.ts'
import type { TokenWork } from './token-work.ts'

type LongLivedRequest = { readonly grant_type: string } & Readonly<Record<string, string>>

export type TokenRequest =
  | { readonly grant_type: 'refresh_token'; readonly refresh_token: string }
  | {
      readonly grant_type: 'authorization_code'
      readonly code: string
      readonly code_verifier: string
      readonly redirect_uri: string
    }

export interface GivenTokens {
  readonly access_token: string
  readonly refresh_token: string | undefined
  readonly expiresAt: Date | null
  readonly refreshExpiresAt: Date | null
  readonly linkedAs: string | null
}

const TIMEOUT_MS = 20_000
const MAX_BYTES = 256 * 1024
const SIMULATED_APP: OauthApp = { clientId: 'trellis-simulated', clientSecret: 'trellis-simulated' }

const Answer = z.object({
  access_token: z.string().check(z.minLength(1)),
  refresh_token: z.optional(z.string()),
  expires_in: z.optional(z.coerce.number()),
  refresh_token_expires_in: z.optional(z.coerce.number()),
  id_token: z.optional(z.string()),
})
/** HubSpot puts the reason in `status`, Shopify in the description. */
const Refusal = z.object({
  error: z.optional(z.unknown()),
  error_description: z.optional(z.unknown()),
  status: z.optional(z.unknown()),
})

type Work = Pick<TokenWork, 'ctx' | 'row' | 'connector' | 'values' | 'outgoing' | 'scrub'>

export function findApp({ ctx, row, connector, values }: Omit<Work, 'outgoing' | 'scrub'>): OauthApp | undefined {
  const { client_id, client_secret } = values[APP_SECTION] ?? {}
  if (typeof client_id === 'string' && client_id !== '' && typeof client_secret === 'string' && client_secret !== '') {
    return { clientId: client_id.trim(), clientSecret: client_secret.trim() }
  }
  return operatorsApp(ctx, connector) ?? (row.is_simulated ? SIMULATED_APP : undefined)
}

export function getOauthBase({ connector, values }: Pick<Work, 'connector' | 'values'>, declared = ''): string {
  return declared === '' ? (connector.oauth?.baseFor?.(values) ?? '') : declared
}

export function getApp(work: Work): OauthApp {
  const app = findApp(work)
  if (app) return app
  throw new ConnectorError('configuration', 'The app at the provider is missing.', {
    advice: 'Enter its client id and client secret.',
    field: `${APP_SECTION}.client_id`,
  })
}

export interface TokenRefusal {
  readonly refused: ConnectorError
  readonly isOver: boolean
}

/**
 * Exchanges a short-lived token for a long-lived one. If the provider refuses, the short-lived one is used until it
 * expires.
 */
export async function requestLongLivedToken(work: Work, app: OauthApp, givenTokens: GivenTokens): Promise<GivenTokens> {
  const { longLived } = work.connector.oauth ?? {}
  if (!longLived || givenTokens.expiresAt === null) return givenTokens
  const request = { grant_type: longLived.grant, [longLived.parameter]: givenTokens.access_token }
  const lasting = await requestTokens(work, app, request)
  if ('refused' in lasting) {
    if (lasting.isOver) return givenTokens
    throw lasting.refused
  }
  return { ...lasting, linkedAs: givenTokens.linkedAs }
}

export async function requestTokens(
  work: Work,
  app: OauthApp,
  request: TokenRequest | LongLivedRequest,
): Promise<GivenTokens | TokenRefusal> {
  const { connector, outgoing, scrub } = work
  const { oauth } = connector
  if (!oauth) throw new ConnectorError('system', `${connector.name} gives no consent.`)
  scrub.add(app.clientSecret)
  const form = new URLSearchParams({ ...request, client_id: app.clientId, client_secret: app.clientSecret })
  const base = getOauthBase(work, outgoing.getHost(oauth.token.host))
  const answer = await outgoing.fetch(`${base}${oauth.token.path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
    body: form.toString(),
    timeoutMs: TIMEOUT_MS,
    maxBytes: MAX_BYTES,
    redirects: 0,
  })
  const text = await answer.text()
  if (!answer.ok) return toRefusal(oauth.provider, answer.status, text)
  const given = z.safeParse(Answer, parseJson(text))
  if (!given.success) throw new ConnectorError('transient', `${oauth.provider} gave an answer without an access token.`)
  const { access_token, refresh_token, expires_in, refresh_token_expires_in, id_token } = given.data
  scrub.add(access_token)
  scrub.add(refresh_token)
  const now = work.ctx.clock.now().getTime()
  const toInstant = (seconds: number | undefined) => (seconds === undefined ? null : new Date(now + seconds * 1000))
  return {
    access_token,
    refresh_token,
    expiresAt: toInstant(expires_in),
    refreshExpiresAt: toInstant(refresh_token_expires_in),
    linkedAs: findEmail(id_token),
  }
}

function toRefusal(provider: string, status: number, text: string): TokenRefusal {
  const reason = JSON.stringify(z.safeParse(Refusal, parseJson(text)).data ?? '')
  if (/invalid_client|unauthorized_client|BAD_CLIENT|application_cannot_be_found/.test(reason)) {
    const refusedConnectorError = new ConnectorError(
      'configuration',
      `${provider} does not know this client id and client secret.`,
      {
        advice: `Compare both with the app you registered at ${provider}.`,
        field: `${APP_SECTION}.client_id`,
      },
    )
    return { refused: refusedConnectorError, isOver: false }
  }
  if (/redirect_uri/i.test(reason)) {
    const refusedConnectorError = new ConnectorError('configuration', `${provider} does not accept the redirect URL.`, {
      advice: `Register the redirect URL exactly as shown at ${provider}.`,
    })
    return { refused: refusedConnectorError, isOver: false }
  }
  if (status === 429 || status >= 500) {
    const kind = status === 429 ? 'rate_limited' : 'transient'
    return { refused: new ConnectorError(kind, `${provider} could not give a token right now.`), isOver: false }
  }
  return { refused: consentOver(provider), isOver: true }
}

export const consentOver = (provider: string) =>
  new ConnectorError('configuration', `${provider} has not given its consent, took it back, or it has ended.`, {
    advice: `Give your consent again on the page of ${provider}.`,
  })

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Unverified and only displayed: it came directly from the provider. */
function findEmail(idToken: string | undefined): string | null {
  const claims = parseJson(Buffer.from(idToken?.split('.')[1] ?? '', 'base64url').toString('utf8'))
  const { email } = (claims ?? {}) as { email?: unknown }
  return typeof email === 'string' ? email.slice(0, 200) : null
}
