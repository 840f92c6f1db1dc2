import { type OAuthMetadata, buildOAuthProtectedResourceMetadata } from '@modelcontextprotocol/server'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import {
  AGENT_SCOPES,
  OAuthFault,
  exchangeCode,
  registerClient,
  revokeByAgent,
  toResource,
} from '../../modules/mcp/agents.service.ts'
import { AppError } from '../../platform/app-error.ts'
import type { SystemCtx } from '../../platform/ctx.ts'
import { limitAddress } from '../../platform/rate-limit.ts'
import type { MountDeps } from '../mount.ts'

const MAX_BODY_BYTES = 64 * 1024
const REGISTER_LIMIT = { ip: [20, 3600] } as const
const TOKEN_LIMIT = { ip: [60, 60] } as const

const toMetadata = (issuer: string): OAuthMetadata => {
  const at = (path: string) => new URL(path, issuer).href
  return {
    issuer,
    authorization_endpoint: at('/profile/authorize'),
    token_endpoint: at('/oauth/token'),
    registration_endpoint: at('/oauth/register'),
    revocation_endpoint: at('/oauth/revoke'),
    response_types_supported: ['code'],
    grant_types_supported: ['authorization_code'],
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: ['none'],
    revocation_endpoint_auth_methods_supported: ['none'],
    scopes_supported: [...AGENT_SCOPES],
    authorization_response_iss_parameter_supported: true,
  }
}

export function mountOAuth(app: FastifyInstance, deps: MountDeps): void {
  const { publicUrl } = deps.ports.config
  const oauthMetadata = toMetadata(publicUrl)
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body))
    scope.setErrorHandler((error, request, reply) => sendOAuthError(error, request, reply))
    // CORS for all origins: metadata is public, and no cookies are used.
    scope.addHook('onRequest', async (_, reply) => {
      void reply.header('access-control-allow-origin', '*').header('cache-control', 'no-store')
    })
    scope.get('/.well-known/oauth-authorization-server', async () => oauthMetadata)
    scope.get<{ Params: { account: string; workspace: string } }>(
      '/.well-known/oauth-protected-resource/mcp/:account/:workspace',
      async ({ params }) =>
        buildOAuthProtectedResourceMetadata({
          oauthMetadata,
          resourceServerUrl: new URL(toResource(publicUrl, params.account, params.workspace)),
          scopesSupported: [...AGENT_SCOPES],
          resourceName: 'Trellis',
          dangerouslyAllowInsecureIssuerUrl: true,
        }),
    )
    scope.post('/oauth/register', { bodyLimit: MAX_BODY_BYTES }, async (request, reply) => {
      const ctx = await createOAuthCtx(request, deps, REGISTER_LIMIT)
      const client = await registerClient(ctx, parseJson(request.body))
      const more = { token_endpoint_auth_method: 'none', grant_types: ['authorization_code'], response_types: ['code'] }
      return await reply.code(201).send({ ...client, ...more })
    })
    scope.post('/oauth/token', { bodyLimit: MAX_BODY_BYTES }, async (request, reply) => {
      const ctx = await createOAuthCtx(request, deps, TOKEN_LIMIT)
      return await reply.send(await exchangeCode(ctx, parseForm(request.body)))
    })
    scope.post('/oauth/revoke', { bodyLimit: MAX_BODY_BYTES }, async (request, reply) => {
      const ctx = await createOAuthCtx(request, deps, TOKEN_LIMIT)
      await revokeByAgent(ctx, parseForm(request.body))
      return await reply.send({})
    })
  })
}

async function createOAuthCtx(
  request: FastifyRequest,
  { control, ports, clock }: MountDeps,
  limit: { readonly ip: readonly [number, number] },
): Promise<SystemCtx> {
  if (ports.config.hasRateLimits) {
    await limitAddress(control.db, { id: `oauth ${limit.ip[1]}`, limit, ip: request.ip })
  }
  return { db: control.db, clock, ports, log: request.log as SystemCtx['log'], requestId: request.id }
}

const parseForm = (body: unknown): URLSearchParams => new URLSearchParams(typeof body === 'string' ? body : '')

function parseJson(body: unknown): Record<string, unknown> {
  try {
    const parsed: unknown = JSON.parse(typeof body === 'string' ? body : '')
    if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed))
      return parsed as Record<string, unknown>
  } catch {}
  throw new OAuthFault('invalid_client_metadata', 'Send a JSON object.')
}

async function sendOAuthError(error: unknown, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  if (error instanceof OAuthFault) {
    return await reply.code(400).send({ error: error.code, error_description: error.message })
  }
  if (error instanceof AppError) {
    return await reply.code(error.status).send({ error: 'invalid_request', error_description: error.message })
  }
  const { code, statusCode } = error as { code?: string; statusCode?: number }
  if (code?.startsWith('FST_') && statusCode !== undefined && statusCode < 500) {
    return await reply
      .code(statusCode)
      .send({ error: 'invalid_request', error_description: 'The request is too large.' })
  }
  request.log.error({ err: error }, 'a request of an OAuth client failed')
  return await reply.code(500).send({ error: 'server_error' })
}
