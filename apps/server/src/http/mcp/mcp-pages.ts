import { Readable } from 'node:stream'
import type { ReadableStream as WebStream } from 'node:stream/web'
import { getOAuthProtectedResourceMetadataUrl } from '@modelcontextprotocol/server'
import { allows } from '@trellis/contract/core/permissions'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { handleAgentRequest } from '../../modules/mcp/mcp-server.service.ts'
import { toResource } from '../../modules/mcp/agents.service.ts'
import { AppError } from '../../platform/app-error.ts'
import type { ProfileCtx, WorkspaceCtx } from '../../platform/ctx.ts'
import { limitAddress } from '../../platform/rate-limit.ts'
import { openTurn } from '../admit.ts'
import { authenticate } from '../authenticate.ts'
import type { MountDeps } from '../mount.ts'
import { checkOrigin } from '../origin.ts'
import { findWorkspaceMembership } from '../tenancy.ts'
import { createHttpExchange } from '../http-exchange.ts'

const PATH = '/mcp/:account/:workspace'
const MAX_BODY_BYTES = 1024 * 1024
const LIMIT = { ip: [300, 60] } as const

type AgentRequest = FastifyRequest<{ Params: { account: string; workspace: string } }>

export function mountMcp(app: FastifyInstance, deps: MountDeps): void {
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
    scope.setErrorHandler((error, request, reply) => sendAgentError(error, request as AgentRequest, { reply, deps }))
    const entered = new WeakMap<FastifyRequest, WorkspaceCtx>()
    scope.addHook('onRequest', async (request, reply) => {
      entered.set(request, await authorizeAgentRequest(request as AgentRequest, reply, deps))
    })
    scope.route({
      method: ['GET', 'POST', 'DELETE'],
      url: PATH,
      bodyLimit: MAX_BODY_BYTES,
      handler: async (request, reply) => {
        const ctx = entered.get(request) as WorkspaceCtx
        const response = await handleAgentRequest(ctx, toWebRequest(request, ctx))
        void reply.code(response.status)
        for (const [name, value] of response.headers) void reply.header(name, value)
        return await reply.send(response.body ? Readable.fromWeb(response.body as WebStream) : '')
      },
    })
  })
}

function toWebRequest(request: FastifyRequest, { ports, http }: WorkspaceCtx): Request {
  const headers = new Headers()
  for (const [name, value] of Object.entries(request.headers)) headers.set(name, String(value))
  const { body } = request
  return new Request(new URL(request.url, ports.config.publicUrl), {
    method: request.method,
    headers,
    signal: http.signal,
    ...(Buffer.isBuffer(body) && { body: new Uint8Array(body) }),
  })
}

async function authorizeAgentRequest(
  request: AgentRequest,
  reply: FastifyReply,
  { control, ports, clock }: MountDeps,
): Promise<WorkspaceCtx> {
  const { account: code, workspace: address } = request.params
  const turn = openTurn({ control }, request, code)
  if (ports.config.hasRateLimits) await limitAddress(turn.db, { id: 'mcp', limit: LIMIT, ip: request.ip })
  checkOrigin(request, ports.config)
  const token = /^Bearer (trl_pat_[\w-]{43})$/i.exec(request.headers.authorization ?? '')?.[1]
  if (!token) throw new AppError('not_signed_in', 'Send a personal access token: Authorization: Bearer trl_pat_…')
  const resource = toResource(ports.config.publicUrl, code, address)
  const signedIn = () => authenticate(`Bearer ${token}`, { turn, tokens: ports.tokens, clock, resource })
  const actor = await signedIn()
  if (!actor.scopes?.includes('read') && !actor.scopes?.includes('admin')) {
    throw new AppError('forbidden', 'This token needs the scope "read".')
  }
  const membership = await findWorkspaceMembership(turn, actor, { code, address })
  const base: Omit<ProfileCtx, 'db'> = {
    clock,
    ports,
    log: request.log as ProfileCtx['log'],
    requestId: request.id,
    http: { ...createHttpExchange(request, reply, ports.config), signedIn },
    actor,
  }
  const ctx: WorkspaceCtx = { ...base, ...membership, db: control.forAccount(membership.account.id) }
  const roles = { accountRole: ctx.account.role, workspaceRole: ctx.workspace.role }
  if (!allows('ai:use', roles)) throw new AppError('forbidden')
  return ctx
}

async function sendAgentError(
  error: unknown,
  request: AgentRequest,
  { reply, deps }: { reply: FastifyReply; deps: MountDeps },
): Promise<FastifyReply> {
  const { code } = error as { code?: string }
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') return await reply.code(413).send({ error: 'The request is too large.' })
  if (!(error instanceof AppError)) {
    request.log.error({ err: error }, 'a request of an agent failed')
    return await reply.code(500).send({ error: 'Something went wrong.' })
  }
  if (error.status === 401) {
    const { account, workspace } = request.params
    const resource = new URL(toResource(deps.ports.config.publicUrl, account, workspace))
    const metadata = getOAuthProtectedResourceMetadataUrl(resource)
    void reply.header('www-authenticate', `Bearer realm="Trellis", resource_metadata="${metadata}", scope="read"`)
  }
  return await reply.code(error.status).send({ error: error.message })
}
