import { createHash, randomBytes } from 'node:crypto'
import type { Connector } from '@trellis/connector-kit/connector'
import { ConnectorError } from '@trellis/connector-kit/connector-error'
import { hasConsentLink } from '@trellis/contract/formas/consent'
import { allows, toWorkspaceRole } from '@trellis/contract/core/permissions'
import type { FormaValues } from '@trellis/contract/formas/forma'
import { transaction } from '@trellis/control-db/database'
import { AppError } from '../../platform/app-error.ts'
import type { Actor, PublicCtx, WorkspaceCtx } from '../../platform/ctx.ts'
import { writeAudit } from '../audit/audit.service.ts'
import { assertPlanUsable } from '../billing/plan-gate.service.ts'
import {
  type GivenTokens,
  requestLongLivedToken,
  requestTokens,
  findApp,
  getOauthBase,
} from './connection/oauth-tokens.ts'
import { isUnexpected, toProblem, scrubbedError, formatProblem } from './connection/problem.ts'
import { type Connection, openConnection } from './connections.service.ts'
import { findIntegrationRow, insertEvent, lockIntegration, toAccountScope } from './integrations.repository.ts'
import { type StoredIntegration, assertOwn, getIntegrationRow } from './stored-integration.ts'
import { SIMULATORS_PATH, redirectUrl } from './platforms.ts'
import { openSecrets, openVerifier, sealTokens, sealVerifier } from './sealed-secrets.ts'
import { withSecrets } from './settings-values.ts'
import { getSetupForma } from './show-integration.ts'
import { type ProfileRoles, findProfileRoles } from './profile-roles.repository.ts'
import { type LinkRow, findLink, insertLink, replaceTokens, consumeLink } from './tokens.repository.ts'
import { validateOrWait } from './validation.ts'

const LINK_MINUTES = 15
const DAY_MS = 24 * 3600_000

/** Tells consent from sign-in, also after the link has expired. */
const STATE_PREFIX = 'consent-'

const generateSecret = () => randomBytes(32).toString('base64url')
const hashSha256 = (text: string) => createHash('sha256').update(text)

/** Single use, by the same person, short-lived. */
export async function linkIntegration(ctx: WorkspaceCtx, code: string): Promise<{ url: string }> {
  const row = await getIntegrationRow(ctx, code)
  assertOwn(row)
  const connector = ctx.ports.platforms.find(row.platform_code)
  if (!connector?.oauth) throw new AppError('conflict', 'This platform asks for no consent. Fill in its settings.')
  const values = withSecrets({ settings: row.settings, secrets: await openSecrets(ctx, row) })
  if (!hasConsentLink(getSetupForma(ctx, row, values), values)) {
    throw new AppError('conflict', 'This connection signs in without consent. Choose OAuth in its settings first.')
  }
  const app = findApp({ ctx, row, connector, values })
  if (!app) {
    throw new AppError('integration_incomplete', 'Enter the client id and client secret of your app first.')
  }
  const { oauth } = connector
  const state = `${STATE_PREFIX}${generateSecret()}`
  const verifier = generateSecret()
  await insertLink(ctx, {
    state_hash: hashSha256(state).digest('hex'),
    workspace_id: ctx.workspace.id,
    integration_id: row.id,
    profile_id: ctx.actor.profileId,
    code_verifier: await sealVerifier(ctx, row, verifier),
    expires_at: new Date(ctx.clock.now().getTime() + LINK_MINUTES * 60_000),
  })
  const base = row.is_simulated
    ? `${ctx.ports.config.publicUrl}${SIMULATORS_PATH}/${connector.code}/${oauth.authorize.host}`
    : findAuthorizeBase(connector, values)
  const url = new URL(`${base}${oauth.authorize.path}`)
  const query = {
    response_type: 'code',
    client_id: app.clientId,
    redirect_uri: redirectUrl(ctx),
    scope: oauth.scopes.join(oauth.scopeSeparator ?? ' '),
    ...oauth.parameters,
    state,
    code_challenge: hashSha256(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  }
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
  ctx.http.addAuditDetail({
    integration: row.trellis_code,
    name: row.name,
    what: `Asked ${oauth.provider} for consent`,
  })
  return { url: url.href }
}

function findAuthorizeBase(connector: Connector, values: FormaValues): string {
  try {
    return getOauthBase({ connector, values }, connector.hosts[connector.oauth?.authorize.host ?? ''])
  } catch (error) {
    if (error instanceof ConnectorError) throw new AppError('integration_incomplete', error.message)
    throw error
  }
}

interface Callback {
  readonly [parameter: string]: unknown
  readonly state?: string | undefined
  readonly code?: string | undefined
  readonly auth_code?: string | undefined
  readonly error?: string | undefined
}

const expiredConsentError = () =>
  new AppError('integration_problem', 'This consent took too long or was used already. Start again.')

/** Undefined if the state belongs to no connection. */
export async function finishLink(ctx: PublicCtx, query: Callback): Promise<{ go_to: string } | undefined> {
  const hash = query.state === undefined ? undefined : hashSha256(query.state).digest('hex')
  const link = hash === undefined ? undefined : await findLink(ctx, hash)
  if (!link && query.state?.startsWith(STATE_PREFIX)) throw expiredConsentError()
  if (hash === undefined || !link) return undefined
  const actor = await ctx.http.signedIn()
  // CSRF: otherwise an attacker's consent could be linked to the victim's connection.
  if (actor.sessionId === null || actor.profileId !== link.profile_id) {
    throw new AppError(
      'forbidden',
      'Somebody else asked for this consent. Sign in as that person, then open this again.',
    )
  }
  const taken = await consumeLink(ctx, hash)
  if (!taken || taken.expires_at <= ctx.clock.now()) throw expiredConsentError()
  const standing = await assertStillMay(ctx, taken)
  const integrationRow = await findIntegrationRow(ctx, taken.integration_id)
  if (!integrationRow) throw new AppError('integration_problem', 'The connection no longer exists.')
  const row: StoredIntegration = { ...integrationRow, is_managed: false }
  await finishConsent(ctx, { row, link: taken, query, actor })
  return { go_to: `/${standing.accountCode}/${standing.workspaceAddress}/integrations/description/${row.trellis_code}` }
}

async function assertStillMay(ctx: PublicCtx, link: LinkRow): Promise<ProfileRoles> {
  const standing = await findProfileRoles(ctx, link)
  const workspaceRole = standing && toWorkspaceRole(standing.accountRole, standing.workspaceRole)
  if (
    !standing ||
    !allows('integrations:write', { accountRole: standing.accountRole, workspaceRole: workspaceRole ?? null })
  ) {
    throw new AppError('forbidden', 'Your role does not allow this any more. Ask an admin of the account.')
  }
  await assertPlanUsable(ctx, link.account_id)
  return standing
}

interface Consent {
  readonly row: StoredIntegration
  readonly link: LinkRow
  readonly query: Callback
  readonly actor: Actor
}

async function finishConsent(ctx: PublicCtx, consent: Consent): Promise<void> {
  const { row, link, query, actor } = consent
  const connection = await openConnection(ctx, row, ctx.http.signal)
  const provider = connection.connector.oauth?.provider ?? connection.connector.name
  const code = query.code ?? query.auth_code
  if (query.error !== undefined || code === undefined) {
    throw new AppError('integration_problem', `${provider} did not give its consent. Start again, and agree there.`)
  }
  await assertSigned(ctx, connection, { row, query })
  connection.scrub.add(code)
  const verifier = await openVerifier(ctx, row, link.code_verifier)
  const givenTokens = await exchange(ctx, connection, { row, code, verifier })
  await transaction(ctx, async (ctx) => {
    const scope = toAccountScope(ctx, row.account_id)
    const locked = await lockIntegration(scope, row.id)
    if (!locked) throw new AppError('integration_problem', 'The connection no longer exists.')
    await replaceTokens(scope, {
      integration_id: row.id,
      tokens: await sealTokens(ctx, row, {
        access_token: givenTokens.access_token,
        ...(givenTokens.refresh_token !== undefined && { refresh_token: givenTokens.refresh_token }),
      }),
      access_expires_at: givenTokens.expiresAt,
      consent_expires_at: consentEnd(ctx, connection, givenTokens),
      linked_as: givenTokens.linkedAs,
      linked_by: actor.profileId,
      linked_at: ctx.clock.now(),
    })
    const what = `${provider} gave its consent${givenTokens.linkedAs === null ? '' : ` as ${givenTokens.linkedAs}`}`
    await insertEvent(scope, { integrationId: row.id, profileId: actor.profileId, what })
    await writeAudit(ctx, {
      action: 'integrationLinked',
      outcome: 'done',
      profileId: actor.profileId,
      accountId: row.account_id,
      workspaceId: row.workspace_id,
      detail: { integration: row.trellis_code, name: row.name, what },
      ip: ctx.http.ip,
      requestId: ctx.requestId,
    })
    const values = withSecrets({ settings: locked.settings, secrets: await openSecrets(ctx, locked) })
    await validateOrWait({ ...ctx, ...scope }, { ...locked, is_managed: false }, values)
  })
}

/** A simulator does not know the app's secret and cannot sign. */
async function assertSigned(
  ctx: PublicCtx,
  { connector, context }: Connection,
  { row, query }: Pick<Consent, 'row' | 'query'>,
): Promise<void> {
  const { oauth } = connector
  if (!oauth?.verifyCallback || row.is_simulated) return
  const { values } = context
  const sent = Object.entries(query).filter((pair): pair is [string, string] => typeof pair[1] === 'string')
  const clientSecret = findApp({ ctx, row, connector, values })?.clientSecret
  const isSigned =
    clientSecret !== undefined && (await oauth.verifyCallback(Object.fromEntries(sent), { values, clientSecret }))
  if (isSigned) return
  throw new AppError(
    'integration_problem',
    `This answer was not signed by ${oauth.provider} for this connection. Check the client secret, then start again.`,
  )
}

/** Without a refresh token, consent expires with the access token. */
function consentEnd({ clock }: PublicCtx, { connector }: Connection, givenTokens: GivenTokens): Date | null {
  if (givenTokens.refreshExpiresAt) return givenTokens.refreshExpiresAt
  const days = connector.oauth?.consentDays
  if (days === undefined) return null
  const end = new Date(clock.now().getTime() + days * DAY_MS)
  return givenTokens.refresh_token === undefined && givenTokens.expiresAt !== null && givenTokens.expiresAt < end
    ? givenTokens.expiresAt
    : end
}

async function exchange(
  ctx: PublicCtx,
  { connector, context, scrub }: Connection,
  { row, code, verifier }: { row: StoredIntegration; code: string; verifier: string },
) {
  const { values } = context
  const app = findApp({ ctx, row, connector, values })
  try {
    if (!app) throw new ConnectorError('configuration', 'The client id and client secret of the app are missing.')
    const request = { code, code_verifier: verifier, redirect_uri: redirectUrl(ctx) }
    const work = { ctx, row, connector, values, outgoing: context, scrub }
    const given = await requestTokens(work, app, {
      grant_type: 'authorization_code',
      ...request,
      ...connector.oauth?.codeParameters,
    })
    if ('refused' in given) throw given.refused
    return await requestLongLivedToken(work, app, given)
  } catch (error) {
    if (isUnexpected(error)) ctx.log.error({ fault: scrubbedError(error, scrub) }, 'Consent could not be finished.')
    throw new AppError('integration_problem', formatProblem(toProblem(error, scrub)))
  }
}
