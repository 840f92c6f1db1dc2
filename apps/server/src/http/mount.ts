import { type Endpoint, toEndpointUrl } from '@trellis/contract/core/endpoint'
import type { FileBody } from '@trellis/contract/core/shapes'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import * as z from 'zod/mini'
import { writeAudit } from '../modules/audit/audit.service.ts'
import { AppError } from '../platform/app-error.ts'
import { findKnownDevice } from '../modules/identity/identity.service.ts'
import type { AnyCtx, PublicCtx, WorkspaceCtx } from '../platform/ctx.ts'
import { runOncePerKey, readIdempotencyKey } from '../platform/idempotency.ts'
import { withinEmailLimit } from '../platform/rate-limit.ts'
import {
  type AdmitDeps,
  type AdmittedRequest,
  type PathParams,
  admitRequest,
  checkPermission,
  checkScope,
  openTurn,
} from './admit.ts'
import { toAuditLine } from './audit-line.ts'
import type { Route } from './handle.ts'
import { parseInput } from './parse-input.ts'
import { type OpenStreams, createOpenStreams, sendEvents } from './send-events.ts'
import { sendFile } from './send-file.ts'

export interface MountDeps extends AdmitDeps {
  /** How often a stream's permission is re-checked. */
  stillHereMs?: number | undefined
}

interface Input {
  params: PathParams
  query: unknown
  body: unknown
}

declare module 'fastify' {
  interface FastifyRequest {
    admitted: AdmittedRequest | null
  }
}

const BYTES = 'application/octet-stream'

export function mount(app: FastifyInstance, routes: readonly Route[], deps: MountDeps): void {
  app.decorateRequest('admitted', null)
  app.addContentTypeParser(BYTES, (_request, payload, done) => done(null, payload))
  const streams = createOpenStreams()
  // An open stream would keep the server from closing.
  app.addHook('preClose', async () => streams.stopAll())
  const add = (scope: FastifyInstance, route: Route) =>
    scope.route({
      method: route.endpoint.method,
      url: toEndpointUrl(route.endpoint),
      ...(route.endpoint.maxBodyBytes !== undefined && { bodyLimit: route.endpoint.maxBodyBytes }),
      config: { endpointId: route.endpoint.id },
      ...(route.endpoint.sends !== 'json' && { compress: false }),
      onRequest: async (request, reply) => {
        request.admitted = await admitRequest(route.endpoint, { request, reply, deps })
        // An invalid content type would be refused before the handler.
        if (!hasBody(route.endpoint)) delete request.headers['content-type']
      },
      handler: (request, reply) => handleRequest(route, { request, reply, deps, streams }),
    })
  for (const route of routes.filter(({ endpoint }) => hasBody(endpoint))) add(app, route)
  // Endpoints without a body ignore it, whatever its type.
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null))
    for (const route of routes.filter(({ endpoint }) => !hasBody(endpoint))) add(scope, route)
  })
}

const hasBody = (endpoint: Endpoint) => endpoint.body !== undefined || endpoint.receives !== 'json'

interface Exchange {
  request: FastifyRequest
  reply: FastifyReply
  deps: MountDeps
  streams: OpenStreams
}

async function handleRequest(route: Route, exchange: Exchange): Promise<FastifyReply> {
  const { request, deps } = exchange
  const { endpoint } = route
  const { ctx: inside, params, overLimit } = request.admitted as AdmittedRequest
  const input: Input = { params, ...parseInput(endpoint, request) }
  const work = () => runHandler(route, { input, ctx: inside, exchange })
  const email = (input.body as { email?: string } | undefined)?.email
  const { limit, id } = endpoint
  if (!limit || email === undefined || !inside.ports.config.hasRateLimits) return await work()
  const device = limit.knownDevice && (await findKnownDevice(inside as PublicCtx, email))
  if (overLimit && device === undefined) throw overLimit
  return await withinEmailLimit(deps.control.db, { id, limit, ip: inside.http.ip, email, device }, work)
}

async function runHandler(
  route: Route,
  { input, ctx: inside, exchange }: { input: Input; ctx: AnyCtx; exchange: Exchange },
): Promise<FastifyReply> {
  const { request, reply } = exchange
  const { endpoint } = route
  checkContentType(endpoint, request)
  const call = { input, ready: await route.prepare?.(input as never) }
  if (endpoint.sends === 'file') return await sendFile(request, reply, (await run(route, call, inside)) as FileBody)
  if (endpoint.sends === 'events') return await follow(route, { call, ctx: inside as WorkspaceCtx, exchange })
  const work = async (open: AnyCtx) => {
    let line: Promise<unknown> | undefined
    const audit = async () => {
      if (isAudited(endpoint)) await (line ??= writeAudit(open, toAuditLine(endpoint, open, 'done')))
    }
    const http = { ...open.http, auditNow: () => void audit().catch(() => undefined) }
    const result = await run(route, call, { ...open, http })
    const body = { data: z.parse(endpoint.response, result) }
    await audit()
    return { status: 200, body }
  }
  const key = endpoint.creates ? readIdempotencyKey(request.headers['idempotency-key']) : undefined
  if (key === undefined) {
    const { status, body } = await work(inside)
    return reply.code(status).send(body)
  }
  const actor = 'actor' in inside ? `profile:${inside.actor.profileId}` : `ip:${inside.http.ip}`
  const done = await runOncePerKey(inside, { endpoint, key, actor, input }, work)
  if (done.isReplay) void reply.header('idempotency-replayed', 'true')
  return reply.code(done.status).send(done.body)
}

const run = (route: Route, call: { input: Input; ready: unknown }, ctx: AnyCtx) =>
  route.run(call.input as never, ctx as never, call.ready as never)

/** Permissions may be revoked and tokens expire while a stream is open. */
async function follow(
  route: Route,
  { call, ctx, exchange }: { call: { input: Input; ready: unknown }; ctx: WorkspaceCtx; exchange: Exchange },
): Promise<FastifyReply> {
  const { signal, stop } = exchange.streams.open(ctx.actor.profileId)
  const check = async () => {
    const actor = await ctx.http.signedIn()
    checkScope(route.endpoint, actor)
    const { deps, request } = exchange
    const { params } = call.input
    const turn = openTurn(deps, request, params?.['account_trellis_code'])
    await checkPermission(route.endpoint, { ctx: { ...ctx, db: deps.control.db, actor }, params, deps, turn })
  }
  try {
    const http = { ...ctx.http, signal: AbortSignal.any([ctx.http.signal, signal]) }
    const events = (await run(route, call, { ...ctx, http })) as AsyncIterable<unknown>
    const { stillHereMs } = exchange.deps
    return await sendEvents(exchange.reply, { events, shape: route.endpoint.response, check, stop, stillHereMs })
  } catch (error) {
    stop()
    throw error
  }
}

/** A body of the wrong kind would be misread. */
function checkContentType(endpoint: Endpoint, request: FastifyRequest): void {
  const isBytes = request.headers['content-type']?.startsWith(BYTES) ?? false
  if (!hasBody(endpoint) || isBytes === (endpoint.receives === 'bytes')) return
  throw new AppError('media_type_unsupported', isBytes ? 'Send JSON.' : `Send the bytes as ${BYTES}.`)
}

function isAudited(endpoint: Endpoint): boolean {
  return endpoint.method !== 'GET' && !endpoint.quiet && endpoint.permission !== 'public'
}
