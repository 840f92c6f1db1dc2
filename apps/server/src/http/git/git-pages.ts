import { Readable } from 'node:stream'
import { gunzipSync } from 'node:zlib'
import { allows } from '@trellis/contract/core/permissions'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { writeAudit } from '../../modules/audit/audit.service.ts'
import { assertPlanRuns } from '../../modules/billing/plan-gate.service.ts'
import { listRefs } from '../../modules/worksheets/git/git.service.ts'
import { MAX_PACK_BYTES } from '../../modules/worksheets/git/receive.service.ts'
import { AppError } from '../../platform/app-error.ts'
import type { ProfileCtx, WorkspaceCtx } from '../../platform/ctx.ts'
import { FLUSH, formatLine } from '../../platform/git/pkt-line.ts'
import { limitAddress } from '../../platform/rate-limit.ts'
import { openTurn } from '../admit.ts'
import { authenticate } from '../authenticate.ts'
import { answerFetch, answerPush } from './git-protocol.ts'
import type { MountDeps } from '../mount.ts'
import { findWorkspaceMembership } from '../tenancy.ts'
import { createHttpExchange } from '../http-exchange.ts'

const BASE = '/git/:account/:workspace/:project'
const MAX_FETCH_BYTES = 1024 * 1024
const LIMIT = { ip: [600, 60] } as const
const AGENT = 'agent=trellis'

interface GitRequestContext {
  readonly ctx: WorkspaceCtx
  readonly code: string
}

type GitRequest = FastifyRequest<{
  Params: { account: string; workspace: string; project: string }
  Querystring: { service?: string }
}>

/** Smart HTTP: protocol version 2 for fetch, version 0 for push. */
export function mountGit(app: FastifyInstance, deps: MountDeps): void {
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
    scope.setErrorHandler((error, request, reply) => sendGitError(error, request, reply))
    const entered = new WeakMap<FastifyRequest, GitRequestContext>()
    // Before the body: nobody unauthorised may make the server buffer 32 MB.
    scope.addHook('onRequest', async (request, reply) => {
      entered.set(request, await authorizeGitRequest(request as GitRequest, reply, deps))
    })
    const getEntered = (request: FastifyRequest) => entered.get(request) as GitRequestContext
    scope.get(`${BASE}/info/refs`, { compress: false }, async (request, reply) =>
      showRefs(request as GitRequest, reply, getEntered(request)),
    )
    scope.post(`${BASE}/git-upload-pack`, { compress: false, bodyLimit: MAX_FETCH_BYTES }, async (request, reply) => {
      const { ctx, code } = getEntered(request)
      const answer = await answerFetch(ctx, code, readBody(request, MAX_FETCH_BYTES))
      return await send(reply, 'git-upload-pack-result', Readable.from(answer))
    })
    scope.post(`${BASE}/git-receive-pack`, { compress: false, bodyLimit: MAX_PACK_BYTES }, async (request, reply) => {
      const { ctx, code } = getEntered(request)
      const { answer, moved } = await answerPush(ctx, code, readBody(request, MAX_PACK_BYTES))
      if (moved.length > 0) await auditPush(ctx, code, moved)
      return await send(reply, 'git-receive-pack-result', answer)
    })
  })
}

async function showRefs(
  request: GitRequest,
  reply: FastifyReply,
  { ctx, code }: GitRequestContext,
): Promise<FastifyReply> {
  const { service } = request.query
  if (service !== 'git-upload-pack' && service !== 'git-receive-pack') {
    throw new AppError('forbidden', 'Only the smart protocol of git is served here.')
  }
  const isPush = service === 'git-receive-pack'
  const head = [formatLine(`# service=${service}\n`), FLUSH]
  const isSecond = /\bversion=2\b/.test(String(request.headers['git-protocol'] ?? ''))
  if (!isPush && !isSecond) {
    head.push(formatLine('ERR Git 2.18 or newer with protocol version 2 is needed here.\n'))
    return await send(reply, `${service}-advertisement`, Buffer.concat(head))
  }
  const refs = await listRefs(ctx, code)
  const lines = isPush
    ? refs.map(({ id, name }, at) => {
        const abilities = `\0report-status side-band-64k ofs-delta object-format=sha1 ${AGENT}`
        return formatLine(`${id} ${name}${at === 0 ? abilities : ''}\n`)
      })
    : ['version 2', AGENT, 'ls-refs=unborn', 'fetch', 'object-format=sha1'].map((line) => formatLine(`${line}\n`))
  return await send(reply, `${service}-advertisement`, Buffer.concat([...head, ...lines, FLUSH]))
}

const send = async (reply: FastifyReply, type: string, body: Buffer | Readable): Promise<FastifyReply> =>
  await reply.header('content-type', `application/x-${type}`).header('cache-control', 'no-cache').send(body)

/** Git compresses requests; whether Fastify has unpacked them depends on the header. */
function readBody(request: FastifyRequest, maxOutputLength: number): Buffer {
  const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
  return body[0] === 0x1f && body[1] === 0x8b ? gunzipSync(body, { maxOutputLength }) : body
}

async function authorizeGitRequest(
  request: GitRequest,
  reply: FastifyReply,
  { control, ports, clock }: MountDeps,
): Promise<GitRequestContext> {
  const isPush = request.query.service === 'git-receive-pack' || request.routeOptions.url?.endsWith('/git-receive-pack')
  const { account: code, workspace: address, project } = request.params
  const turn = openTurn({ control }, request, code)
  if (ports.config.hasRateLimits) await limitAddress(turn.db, { id: 'git', limit: LIMIT, ip: request.ip })
  const signedIn = () => authenticate(`Bearer ${readPassword(request)}`, { turn, tokens: ports.tokens, clock })
  const actor = await signedIn()
  const needed = isPush ? 'write' : 'read'
  if (!actor.scopes?.includes(needed) && !actor.scopes?.includes('admin')) {
    throw new AppError('forbidden', `This token needs the scope "${needed}".`)
  }
  const membership = await findWorkspaceMembership(turn, actor, { code, address })
  const http = { ...createHttpExchange(request, reply, ports.config), signedIn }
  const base: Omit<ProfileCtx, 'db'> = {
    clock,
    ports,
    log: request.log as ProfileCtx['log'],
    requestId: request.id,
    http,
    actor,
  }
  const ctx: WorkspaceCtx = { ...base, ...membership, db: control.forAccount(membership.account.id) }
  const roles = { accountRole: ctx.account.role, workspaceRole: ctx.workspace.role }
  if (!allows(isPush ? 'worksheets:draft' : 'worksheets:read', roles)) throw new AppError('forbidden')
  const { type: account_type, planEnd: stripe_plan_end_date } = ctx.account
  if (isPush) assertPlanRuns({ account_type, stripe_plan_end_date }, clock.now())
  return { ctx, code: project.replace(/\.git$/, '') }
}

/** Personal access tokens only: git stores them, so they must be revocable. */
function readPassword(request: FastifyRequest): string {
  const basic = /^Basic ([\w+/=]{1,2000})$/i.exec(request.headers.authorization ?? '')?.[1] ?? ''
  const password = /:(trl_pat_[\w-]{43})$/.exec(Buffer.from(basic, 'base64').toString('utf8'))?.[1]
  if (password) return password
  throw new AppError('not_signed_in', 'Sign in with a personal access token as the password.')
}

async function auditPush(ctx: WorkspaceCtx, code: string, refs: readonly string[]): Promise<void> {
  await writeAudit(ctx, {
    action: 'gitPush',
    outcome: 'done',
    profileId: ctx.actor.profileId,
    accountId: ctx.account.id,
    workspaceId: ctx.workspace.id,
    detail: { project: code, branches: refs.join(', ') },
    ip: ctx.http.ip,
    requestId: ctx.requestId,
  })
}

async function sendGitError(error: unknown, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { code } = error as { code?: string }
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE')
    return await reply.code(413).type('text/plain').send('The push is too large.\n')
  if (!(error instanceof AppError)) {
    request.log.error({ err: error }, 'git request failed')
    return await reply.code(500).type('text/plain').send('Something went wrong.\n')
  }
  if (error.status === 401) void reply.header('www-authenticate', 'Basic realm="Trellis", charset="UTF-8"')
  return await reply.code(error.status).type('text/plain').send(`${error.message}\n`)
}
