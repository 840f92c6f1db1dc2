import { type Endpoint, urlOf } from '@trellis/contract/core/endpoint'
import { PERMISSIONS, allows } from '@trellis/contract/core/permissions'
import type { ControlDb } from '@trellis/control-db/database'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import * as z from 'zod/mini'
import { type AuditLine, writeAudit } from '../modules/audit/audit.service.ts'
import { assertPlanRuns } from '../modules/billing/plan-gate.service.ts'
import { AppError } from '../platform/app-error.ts'
import type { Clock } from '../platform/clock.ts'
import type { AccountCtx, Actor, ProfileCtx, PublicCtx, WorkspaceCtx } from '../platform/ctx.ts'
import type { Ports } from '../platform/ports.ts'
import { authenticate } from './authenticate.ts'
import type { Route } from './handle.ts'
import { onceForKey, readIdempotencyKey } from '../platform/idempotency.ts'
import { checkOrigin } from './origin.ts'
import type { FileBody } from '@trellis/contract/core/shapes'
import { parseInput } from './parse-input.ts'
import { limitAddress, limitEmail } from '../platform/rate-limit.ts'
import { findAccountStanding, findWorkspaceStanding } from './tenancy.ts'
import { type OpenStreams, makeOpenStreams, sendEvents } from './send-events.ts'
import { sendFile } from './send-file.ts'
import { createWire } from './wire.ts'

export interface MountDeps {
  control: ControlDb
  ports: Ports
  clock: Clock
  /** How often whoever follows something is looked at again. */
  stillHereMs?: number | undefined
}

type AnyCtx = PublicCtx | ProfileCtx | AccountCtx | WorkspaceCtx
interface Input {
  params: Record<string, string> | undefined
  query: unknown
  body: unknown
}

const BYTES = 'application/octet-stream'

/** The one door: every call comes in here, is known, allowed, read, done, checked and written down, in this order. */
export function mount(app: FastifyInstance, routes: readonly Route[], deps: MountDeps): void {
  app.addContentTypeParser(BYTES, (_request, payload, done) => done(null, payload))
  const streams = makeOpenStreams()
  // Whoever follows something would keep the server from ever closing.
  app.addHook('preClose', async () => streams.stopAll())
  for (const route of routes) {
    app.route({
      method: route.endpoint.method,
      url: urlOf(route.endpoint),
      ...(route.endpoint.maxBodyBytes !== undefined && { bodyLimit: route.endpoint.maxBodyBytes }),
      config: { endpointId: route.endpoint.id },
      // Compressing a file on the way would make byte positions mean something else, and keep events back.
      ...(route.endpoint.sends !== 'json' && { compress: false }),
      handler: (request, reply) => answer(route, { request, reply, deps, streams }),
    })
  }
}

interface Exchange {
  request: FastifyRequest
  reply: FastifyReply
  deps: MountDeps
  streams: OpenStreams
}

async function answer(route: Route, exchange: Exchange): Promise<FastifyReply> {
  const { request, reply } = exchange
  const { endpoint } = route
  const ctx = await enter(endpoint, exchange)
  const limited =
    endpoint.limit && ctx.ports.config.hasRateLimits ? { ...endpoint, limit: endpoint.limit, ip: ctx.wire.ip } : null
  if (limited) await limitAddress(exchange.deps.control.db, limited)
  const input = parseInput(endpoint, request) as Input
  const email = (input.body as { email?: string } | undefined)?.email
  if (limited && email !== undefined) await limitEmail(exchange.deps.control.db, limited, email)
  const inside = await admit(endpoint, { ctx, input, exchange })
  checkContentType(endpoint, request)
  const call = { input, ready: await route.prepare?.(input as never) }
  if (endpoint.sends === 'file') return await sendFile(request, reply, (await run(route, call, inside)) as FileBody)
  if (endpoint.sends === 'events') return await follow(route, { call, ctx: inside as WorkspaceCtx, exchange })
  const work = async (open: AnyCtx) => {
    const result = await run(route, call, open)
    const body = { data: z.parse(endpoint.response, result) }
    if (isAudited(endpoint)) await writeAudit(open, lineFor(endpoint, open, 'done'))
    return { status: 200, body }
  }
  const key = endpoint.creates ? readIdempotencyKey(request.headers['idempotency-key']) : undefined
  if (key === undefined) {
    const { status, body } = await work(inside)
    return reply.code(status).send(body)
  }
  const actor = 'actor' in inside ? `profile:${inside.actor.profileId}` : `ip:${inside.wire.ip}`
  const done = await onceForKey(inside, { endpoint, key, actor, input }, work)
  if (done.isReplay) void reply.header('idempotency-replayed', 'true')
  return reply.code(done.status).send(done.body)
}

const run = (route: Route, call: { input: Input; ready: unknown }, ctx: AnyCtx) =>
  route.run(call.input as never, ctx as never, call.ready as never)

/** The right to follow is looked at again and again: it may be taken away, or the token end, while the answer goes on. */
async function follow(
  route: Route,
  { call, ctx, exchange }: { call: { input: Input; ready: unknown }; ctx: WorkspaceCtx; exchange: Exchange },
): Promise<FastifyReply> {
  const { signal, stop } = exchange.streams.open(ctx.actor.profileId)
  const check = async () => {
    const actor = await ctx.wire.signedIn()
    checkScope(route.endpoint, actor)
    await admit(route.endpoint, { ctx: { ...ctx, db: exchange.deps.control.db, actor }, input: call.input, exchange })
  }
  try {
    const wire = { ...ctx.wire, signal: AbortSignal.any([ctx.wire.signal, signal]) }
    const events = (await run(route, call, { ...ctx, wire })) as AsyncIterable<unknown>
    const { stillHereMs } = exchange.deps
    return await sendEvents(exchange.reply, { events, shape: route.endpoint.response, check, stop, stillHereMs })
  } catch (error) {
    stop()
    throw error
  }
}

/** Bytes sent to a call that takes JSON, or the other way round, would be read as something they are not. */
function checkContentType(endpoint: Endpoint, request: FastifyRequest): void {
  const isBytes = request.headers['content-type']?.startsWith(BYTES) ?? false
  if (isBytes === (endpoint.receives === 'bytes')) return
  throw new AppError('media_type_unsupported', isBytes ? 'Send JSON.' : `Send the bytes as ${BYTES}.`)
}

/** Who is it? Before anything of the request is judged, so that a stranger learns nothing from the order of errors. */
async function enter(endpoint: Endpoint, { request, reply, deps }: Exchange): Promise<PublicCtx | ProfileCtx> {
  const { control, ports, clock } = deps
  const signedIn = () =>
    authenticate(request.headers.authorization, { pool: control.pool, tokens: ports.tokens, clock })
  const wire = { ...createWire(request, reply, ports.config), signedIn }
  if (endpoint.method !== 'GET') checkOrigin(request, ports.config)
  const base: PublicCtx = {
    db: control.db,
    clock,
    log: request.log as PublicCtx['log'],
    ports,
    requestId: request.id,
    wire,
  }
  if (PERMISSIONS[endpoint.permission].scope === 'public') return base
  const actor = await signedIn()
  checkScope(endpoint, actor)
  return { ...base, actor }
}

/** A personal access token reaches the account's work, never the sign-in of its owner. */
function checkScope(endpoint: Endpoint, actor: Actor): void {
  if (actor.scopes === null) return
  // Links to the payment provider are fetched by GET, but whoever holds one can change the plan.
  const isReading = endpoint.method === 'GET' && !endpoint.permission.endsWith(':write')
  const needed = isReading ? 'read' : 'write'
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

/** May they? Account and workspace come from the path alone; one that is not theirs looks like one that is not there. */
async function admit(
  endpoint: Endpoint,
  { ctx, input, exchange }: { ctx: PublicCtx | ProfileCtx; input: Input; exchange: Exchange },
): Promise<AnyCtx> {
  const { scope } = PERMISSIONS[endpoint.permission]
  if (scope === 'public' || scope === 'profile') return ctx
  const { control } = exchange.deps
  const { actor } = ctx as ProfileCtx
  const code = input.params?.['account_trellis_code'] ?? ''
  const address = input.params?.['workspace_address'] ?? ''
  const standing =
    scope === 'account'
      ? await findAccountStanding(control.pool, actor, code)
      : await findWorkspaceStanding(control.pool, actor, { code, address })
  const { db: _platform, ...rest } = ctx as ProfileCtx
  const inside = { ...rest, ...standing, db: control.forAccount(standing.account.id) } as AccountCtx | WorkspaceCtx
  const workspaceRole = 'workspace' in inside ? inside.workspace.role : null
  if (!allows(endpoint.permission, { accountRole: inside.account.role, workspaceRole })) {
    await writeAudit(inside, lineFor(endpoint, inside, 'refused'))
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

function isAudited(endpoint: Endpoint): boolean {
  return endpoint.method !== 'GET' && !endpoint.quiet && endpoint.permission !== 'public'
}

function lineFor(endpoint: Endpoint, ctx: AnyCtx, outcome: AuditLine['outcome']): AuditLine {
  return {
    action: endpoint.id,
    outcome,
    profileId: 'actor' in ctx ? ctx.actor.profileId : null,
    accountId: 'account' in ctx ? ctx.account.id : null,
    workspaceId: 'workspace' in ctx ? ctx.workspace.id : null,
    detail: ctx.wire.noted,
    ip: ctx.wire.ip,
    requestId: ctx.requestId,
  }
}
