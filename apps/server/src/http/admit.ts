import type { Endpoint } from '@trellis/contract/core/endpoint'
import { PERMISSIONS, allows } from '@trellis/contract/core/permissions'
import type { ControlDb, FairConnection } from '@trellis/control-db/database'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { writeAudit } from '../modules/audit/audit.service.ts'
import { assertPlanRuns } from '../modules/billing/plan-gate.service.ts'
import { AppError } from '../platform/app-error.ts'
import type { Clock } from '../platform/clock.ts'
import type { AccountCtx, Actor, AnyCtx, ProfileCtx, PublicCtx, SystemCtx, WorkspaceCtx } from '../platform/ctx.ts'
import type { Ports } from '../platform/ports.ts'
import { DEVICE_COOKIE, limitAddress } from '../platform/rate-limit.ts'
import { toAuditLine } from './audit-line.ts'
import { authenticate, authenticateInWorkspace } from './authenticate.ts'
import { checkOrigin } from './origin.ts'
import { parsePart } from './parse-input.ts'
import {
  type WorkspacePath,
  type WorkspaceMembership,
  findAccountMembership,
  findWorkspaceMembership,
  tenantNotFoundError,
} from './tenancy.ts'
import { createHttpExchange } from './http-exchange.ts'

export interface AdmitDeps {
  control: ControlDb
  ports: Ports
  clock: Clock
}

export type PathParams = Record<string, string> | undefined

export interface AdmittedRequest {
  readonly ctx: AnyCtx
  readonly params: PathParams
  /** The IP's limit is exhausted. Thrown after reading the body, which may identify a known device. */
  readonly overLimit?: AppError | undefined
}

/**
 * Authenticates and authorises before the body is received: a 400, 413 or 415 would tell an outsider that the address
 * exists.
 */
export async function admitRequest(
  endpoint: Endpoint,
  { request, reply, deps }: { request: FastifyRequest; reply: FastifyReply; deps: AdmitDeps },
): Promise<AdmittedRequest> {
  const { params, refusal } = readParams(endpoint, request)
  const isInWorkspace = !refusal && PERMISSIONS[endpoint.permission].scope === 'workspace'
  const path = isInWorkspace ? toWorkspacePath(params) : undefined
  const turn = openTurn(deps, request, params?.['account_trellis_code'])
  const { ctx, membership } = await identify(endpoint, { request, reply, deps, path, turn })
  const overLimit = await applyAddressLimit(endpoint, { ctx, request, turn })
  if (refusal) throw refusal
  return { ctx: await checkPermission(endpoint, { ctx, params, deps, membership, turn }), params, overLimit }
}

/** Fair queueing: per account for its members, per caller for others. */
export function openTurn({ control }: Pick<AdmitDeps, 'control'>, request: FastifyRequest, code = ''): FairConnection {
  return control.inTurn(code, request.headers.authorization ?? request.ip)
}

export const toSystemCtx = (request: FastifyRequest, { control, clock, ports }: AdmitDeps): SystemCtx => ({
  db: control.db,
  clock,
  log: request.log as SystemCtx['log'],
  ports,
  requestId: request.id,
})

async function applyAddressLimit(
  { id, limit }: Endpoint,
  { ctx, request, turn }: { ctx: PublicCtx; request: FastifyRequest; turn: FairConnection },
): Promise<AppError | undefined> {
  if (!limit || !ctx.ports.config.hasRateLimits) return undefined
  try {
    await limitAddress(turn.db, { id, limit, ip: ctx.http.ip })
    return undefined
  } catch (error) {
    const mayBeKnown = limit.knownDevice && Object.keys(request.cookies).some((name) => name.includes(DEVICE_COOKIE))
    if (mayBeKnown && error instanceof AppError) return error
    throw error
  }
}

/** A malformed path is refused only after authentication. */
function readParams(endpoint: Endpoint, request: FastifyRequest): { params: PathParams; refusal?: Error } {
  try {
    return { params: parsePart(endpoint.params, request.params, 'params') as PathParams }
  } catch (error) {
    return { params: undefined, refusal: error as Error }
  }
}

const toWorkspacePath = (params: PathParams): WorkspacePath => ({
  code: params?.['account_trellis_code'] ?? '',
  address: params?.['workspace_address'] ?? '',
})

interface IdentifiedCaller {
  readonly ctx: PublicCtx | ProfileCtx
  readonly membership?: WorkspaceMembership | 'none' | undefined
}

async function identify(
  endpoint: Endpoint,
  {
    request,
    reply,
    deps,
    path,
    turn,
  }: {
    request: FastifyRequest
    reply: FastifyReply
    deps: AdmitDeps
    path: WorkspacePath | undefined
    turn: FairConnection
  },
): Promise<IdentifiedCaller> {
  const { ports, clock } = deps
  const { authorization } = request.headers
  const identity = { turn, tokens: ports.tokens, clock }
  const signedIn = () => authenticate(authorization, identity)
  const http = { ...createHttpExchange(request, reply, ports.config), signedIn }
  if (endpoint.method !== 'GET') checkOrigin(request, ports.config)
  const base: PublicCtx = { ...toSystemCtx(request, deps), http }
  if (PERMISSIONS[endpoint.permission].scope === 'public') return { ctx: base }
  const { actor, membership } = path
    ? await authenticateInWorkspace(authorization, identity, path)
    : { actor: await signedIn() }
  checkScope(endpoint, actor)
  return { ctx: { ...base, actor }, membership }
}

/** Personal access tokens cannot manage their owner's sign-in. */
export function checkScope(endpoint: Endpoint, actor: Actor): void {
  if (actor.scopes === null) return
  // Payment links are fetched with GET, but allow changing the plan.
  const isReading = endpoint.method === 'GET' && !endpoint.permission.endsWith(':write')
  const needed = endpoint.tokenScope ?? (isReading ? 'read' : 'write')
  const isOwnSignIn = endpoint.base === 'auth' || endpoint.feature === 'tokens' || endpoint.id === 'changePassword'
  const isAllowed = actor.scopes.includes(needed) || actor.scopes.includes('admin')
  if (isAllowed && (!isOwnSignIn || endpoint.id === 'getIdentity')) return
  throw new AppError(
    'forbidden',
    isOwnSignIn
      ? 'A personal access token can not do this. Sign in instead.'
      : `This token needs the scope "${needed}".`,
  )
}

/** Account and workspace come from the path alone; those of others look missing. */
export async function checkPermission(
  endpoint: Endpoint,
  {
    ctx,
    params,
    deps,
    membership: known,
    turn,
  }: IdentifiedCaller & { params: PathParams; deps: AdmitDeps; turn: FairConnection },
): Promise<AnyCtx> {
  const { scope } = PERMISSIONS[endpoint.permission]
  if (scope === 'public' || scope === 'profile') return ctx
  const { control } = deps
  const { actor } = ctx as ProfileCtx
  if (known === 'none') throw tenantNotFoundError()
  const path = toWorkspacePath(params)
  const membership =
    scope === 'account'
      ? await findAccountMembership(turn, actor, path.code)
      : (known ?? (await findWorkspaceMembership(turn, actor, path)))
  const { db: _platform, ...rest } = ctx as ProfileCtx
  const inside = { ...rest, ...membership, db: control.forAccount(membership.account.id) } as AccountCtx | WorkspaceCtx
  const workspaceRole = 'workspace' in inside ? inside.workspace.role : null
  if (!allows(endpoint.permission, { accountRole: inside.account.role, workspaceRole })) {
    await writeAudit(inside, toAuditLine(endpoint, inside, 'refused'))
    throw new AppError('forbidden', 'Your role does not allow this. Ask an admin of the account.')
  }
  checkPlan(endpoint, inside)
  return inside
}

function checkPlan(endpoint: Endpoint, ctx: AccountCtx | WorkspaceCtx): void {
  if (endpoint.worksWhenPlanIsOver) return
  const { type, planEnd } = ctx.account
  assertPlanRuns({ account_type: type, stripe_plan_end_date: planEnd }, ctx.clock.now())
}
