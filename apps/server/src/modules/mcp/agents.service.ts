import { createHash, randomBytes } from 'node:crypto'
import type {
  AgentDecision,
  AgentRequest,
  AgentRequestQuery,
  AgentScope,
} from '@trellis/contract/tokens/agents.endpoints'
import { transaction } from '@trellis/control-db/database'
import { AppError } from '../../platform/app-error.ts'
import type { ProfileCtx, SystemCtx } from '../../platform/ctx.ts'
import { listOwnAccounts } from '../accounts/accounts.service.ts'
import {
  type CodeRow,
  findClient,
  deleteUnusedClients,
  insertClient,
  insertCode,
  revokeAgentToken,
  revokeTokenOfCode,
  setCodeToken,
  useCode,
} from './agents.repository.ts'
import { describeRedirect, isRedirectUri, isRegistered } from './redirect-uri.ts'
import { hashToken, issueToken } from '../tokens/tokens.service.ts'

export const AGENT_SCOPES: readonly AgentScope[] = ['read', 'write']
const TOKEN_DAYS = 30
const CODE_MS = 60_000
const MAX_NAME = 60
const MAX_REDIRECTS = 10

export class OAuthFault extends Error {
  override readonly name = 'OAuthFault'
  readonly code:
    | 'invalid_request'
    | 'invalid_client_metadata'
    | 'invalid_redirect_uri'
    | 'invalid_grant'
    | 'unsupported_grant_type'

  constructor(code: OAuthFault['code'], message: string) {
    super(message)
    this.code = code
  }
}

export interface RegisteredClient {
  readonly client_id: string
  readonly client_name: string
  readonly redirect_uris: readonly string[]
}

/** Open to anyone; what a client says about itself is shown as a claim. */
export async function registerClient(ctx: SystemCtx, body: Record<string, unknown>): Promise<RegisteredClient> {
  const uris = body['redirect_uris']
  if (!Array.isArray(uris) || uris.length === 0 || uris.length > MAX_REDIRECTS) {
    throw new OAuthFault('invalid_redirect_uri', `Give one to ${MAX_REDIRECTS} redirect_uris.`)
  }
  if (!uris.every((uri): uri is string => typeof uri === 'string' && isRedirectUri(uri))) {
    const message =
      'A redirect URI has to be https, http on this computer, or a scheme of a program, without a fragment.'
    throw new OAuthFault('invalid_redirect_uri', message)
  }
  const method = body['token_endpoint_auth_method'] ?? 'none'
  if (method !== 'none') throw new OAuthFault('invalid_client_metadata', 'Only public clients: "none", with PKCE.')
  const given = typeof body['client_name'] === 'string' ? body['client_name'] : ''
  const name =
    given
      .toWellFormed()
      .replaceAll(/[\p{C}\p{Zl}\p{Zp}]+/gu, ' ')
      .trim()
      .slice(0, MAX_NAME) || 'Unnamed agent'
  const client = { client_id: randomBytes(24).toString('base64url'), name, redirect_uris: uris }
  await deleteUnusedClients(ctx)
  await insertClient(ctx, client)
  return { client_id: client.client_id, client_name: name, redirect_uris: uris }
}

const notFoundError = (detail: string) => new AppError('not_found', detail)

async function getClientFor(ctx: ProfileCtx, { client_id, redirect_uri }: AgentRequestQuery) {
  const client = await findClient(ctx, client_id)
  // Never redirect to an unregistered address.
  if (!client || !isRegistered(client.redirect_uris, redirect_uri)) {
    throw notFoundError('This agent is not known here, or asks to be sent to an address it did not register.')
  }
  return client
}

const toScopes = (scope: string | undefined): AgentScope[] => {
  const asked = (scope ?? '').split(/\s+/)
  return asked.includes('write') ? [...AGENT_SCOPES] : ['read']
}

export const toResource = (publicUrl: string, account: string, workspace: string): string =>
  new URL(`/mcp/${account}/${workspace}`, publicUrl).href

async function getPlace(ctx: ProfileCtx, resource: string) {
  for (const account of await listOwnAccounts(ctx)) {
    for (const workspace of account.workspaces) {
      const own = toResource(ctx.ports.config.publicUrl, account.trellis_code, workspace.workspace_address)
      if (own === resource) return { account_name: account.name, workspace_name: workspace.name }
    }
  }
  throw notFoundError('There is no such workspace, or you have no access to it.')
}

export async function getAgentRequest(ctx: ProfileCtx, asked: AgentRequestQuery): Promise<AgentRequest> {
  const client = await getClientFor(ctx, asked)
  return {
    ...(await getPlace(ctx, asked.resource)),
    client_name: client.name,
    redirect_place: describeRedirect(asked.redirect_uri),
    scopes: toScopes(asked.scope),
    days: TOKEN_DAYS,
  }
}

const hash = (text: string): Buffer => createHash('sha256').update(text).digest()

export async function decideAgentRequest(ctx: ProfileCtx, asked: AgentDecision): Promise<{ redirect_to: string }> {
  // A token must not create tokens that outlive it.
  if (ctx.actor.sessionId === null) throw new AppError('forbidden', 'Only a person who is signed in can decide this.')
  const client = await getClientFor(ctx, asked)
  const back = new URL(asked.redirect_uri)
  if (asked.state !== undefined) back.searchParams.set('state', asked.state)
  back.searchParams.set('iss', ctx.ports.config.publicUrl)
  ctx.http.addAuditDetail({ agent: client.name, decision: asked.decision })
  if (asked.decision === 'deny') {
    back.searchParams.set('error', 'access_denied')
    return { redirect_to: back.href }
  }
  await getPlace(ctx, asked.resource)
  const code = randomBytes(32).toString('base64url')
  await insertCode(ctx, {
    code_hash: hash(code),
    client_id: client.client_id,
    profile_id: ctx.actor.profileId,
    redirect_uri: asked.redirect_uri,
    code_challenge: asked.code_challenge,
    resource: asked.resource,
    scopes: toScopes(asked.scope),
    expires_at: new Date(ctx.clock.now().getTime() + CODE_MS),
    used_at: null,
    token_id: null,
  })
  back.searchParams.set('code', code)
  return { redirect_to: back.href }
}

export interface AgentTokens {
  readonly access_token: string
  readonly token_type: 'Bearer'
  readonly expires_in: number
  readonly scope: string
}

export async function exchangeCode(ctx: SystemCtx, form: URLSearchParams): Promise<AgentTokens> {
  if (form.get('grant_type') !== 'authorization_code') {
    throw new OAuthFault('unsupported_grant_type', 'Only "authorization_code".')
  }
  const refusedOAuthFault = new OAuthFault(
    'invalid_grant',
    'The code is wrong, used, expired or was given to somebody else.',
  )
  const codeHash = hash(form.get('code') ?? '')
  const row = await useCode(ctx, codeHash, ctx.clock.now())
  if (!row) {
    await revokeTokenOfCode(ctx, codeHash)
    throw refusedOAuthFault
  }
  if (!matchesChallenge(row, form)) throw refusedOAuthFault
  const client = await findClient(ctx, row.client_id)
  return await transaction(ctx, async (ctx) => {
    const token = await issueToken(ctx, row.profile_id, {
      name: client?.name ?? 'Agent',
      scopes: row.scopes as AgentScope[],
      days: TOKEN_DAYS,
      resource: row.resource,
    })
    await setCodeToken(ctx, codeHash, token.id)
    return {
      access_token: token.secret,
      token_type: 'Bearer' as const,
      expires_in: TOKEN_DAYS * 86_400,
      scope: row.scopes.join(' '),
    }
  })
}

function matchesChallenge(row: CodeRow, form: URLSearchParams): boolean {
  const challenge = createHash('sha256')
    .update(form.get('code_verifier') ?? '')
    .digest('base64url')
  const resource = form.get('resource') ?? row.resource
  return (
    row.client_id === form.get('client_id') &&
    row.redirect_uri === form.get('redirect_uri') &&
    row.code_challenge === challenge &&
    row.resource === resource
  )
}

/** RFC 7009: unknown tokens get the same answer. */
export async function revokeByAgent(ctx: SystemCtx, form: URLSearchParams): Promise<void> {
  await revokeAgentToken(ctx, hashToken(form.get('token') ?? ''))
}
