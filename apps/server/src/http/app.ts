import { randomUUID } from 'node:crypto'
import type { Socket } from 'node:net'
import { allEndpoints } from '@trellis/contract/all-endpoints'
import { toEndpointUrl } from '@trellis/contract/core/endpoint'
import compress from '@fastify/compress'
import cookie from '@fastify/cookie'
import multipart from '@fastify/multipart'
import { type FastifyBaseLogger, type FastifyInstance, LogController, fastify } from 'fastify'
import { AppError } from '../platform/app-error.ts'
import type { Logger } from '../platform/logger.ts'
import { observeRequest } from '../platform/metrics.ts'
import { mountGit } from './git/git-pages.ts'
import { mountInboundWebhooks } from './inbound-webhook-pages.ts'
import { mountMcp } from './mcp/mcp-pages.ts'
import { mountOAuth } from './mcp/oauth-pages.ts'
import type { Route } from './handle.ts'
import { mountHealth } from './health.ts'
import { type MountDeps, mount } from './mount.ts'
import { FLOW_SCHEMA_PATH, getFlowSchema } from '../modules/dataflows/yaml/flow-schema.service.ts'
import { buildOpenapi } from './openapi/build-openapi.ts'
import { mountPayments } from './payment-pages.ts'
import { mountReportTunnel } from './report-tunnel.ts'
import { API_POLICY, commonHeaders } from './security-headers.ts'
import { mountSimulators } from './simulator-pages.ts'
import { mountWeb } from './web-pages.ts'
import { addressNotFoundError, sendError, wireError } from './wire-error.ts'

const MAX_BODY_BYTES = 1024 * 1024

declare module 'fastify' {
  interface FastifyContextConfig {
    endpointId?: string
  }
}

export interface AppOptions extends MountDeps {
  routes: readonly Route[]
  log: Logger
  webFolder?: string
}

export async function buildApp(options: AppOptions): Promise<FastifyInstance> {
  const { routes, log, ports, control } = options
  checkComplete(routes)
  const app = fastify({
    loggerInstance: log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: MAX_BODY_BYTES,
    // Trusts one proxy: earlier entries of X-Forwarded-For are the client's own.
    trustProxy: ports.config.trustProxy && ((_address, hop) => hop === 0),
    genReqId: () => randomUUID(),
    requestTimeout: 120_000,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 512 },
    forceCloseConnections: 'idle',
    clientErrorHandler: refuseConnection,
    frameworkErrors: (error, request, reply) => void sendError(error, request, reply),
  })
  app.setErrorHandler((error, request, reply) => sendError(error, request, reply))
  addHooks(app, commonHeaders(ports.config.isHttps))
  await app.register(cookie)
  // Truncates oversized files, so that the handler can report it properly.
  await app.register(multipart, { throwFileSizeLimit: false })
  await app.register(compress, { threshold: 2048, encodings: ['br', 'gzip'] })
  mountHealth(app, { pool: control.pool, config: ports.config })
  let openapi: ReturnType<typeof buildOpenapi> | undefined
  app.get('/openapi.json', async () => (openapi ??= buildOpenapi(allEndpoints)))
  const flowSchema = getFlowSchema()
  app.get(FLOW_SCHEMA_PATH, async () => flowSchema)
  mountReportTunnel(app, ports)
  mountPayments(app, options)
  mountInboundWebhooks(app, options)
  mountSimulators(app, options)
  mountGit(app, options)
  mountMcp(app, options)
  mountOAuth(app, options)
  mount(app, routes, options)
  const { webFolder } = options
  if (webFolder) await mountWeb(app, { folder: webFolder, config: ports.config })
  else app.setNotFoundHandler((request, reply) => sendError(addressNotFoundError(), request, reply))
  return app
}

/** Malformed HTTP never reaches a route, but gets the same error format. */
function refuseConnection(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  const isTooLong = error.code === 'HPE_HEADER_OVERFLOW'
  const detail = isTooLong ? 'The address or the headers are too long.' : 'The request could not be read.'
  const id = randomUUID()
  const body = JSON.stringify(wireError(new AppError('invalid_request', detail), id))
  const head = [
    'HTTP/1.1 400 Bad Request',
    'content-type: application/json; charset=utf-8',
    `x-request-id: ${id}`,
    `content-length: ${Buffer.byteLength(body)}`,
    'connection: close',
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
}

function addHooks(app: FastifyInstance, headers: Record<string, string>): void {
  app.addHook('onRequest', async (request, reply) => {
    void reply.headers(headers).header('x-request-id', request.id)
    if (/^\/(api|auth)\//.test(request.url)) {
      void reply.header('content-security-policy', API_POLICY).header('cache-control', 'no-store')
    }
  })
  app.addHook('onResponse', async (request, reply) => {
    const call = request.routeOptions.config.endpointId
    if (!call) return
    const seconds = reply.elapsedTime / 1000
    const isStream = String(reply.getHeader('content-type')).startsWith('text/event-stream')
    if (!isStream) observeRequest({ endpoint: call, status: reply.statusCode, seconds })
    request.log.info({ call, status: reply.statusCode, ms: Math.round(reply.elapsedTime) }, 'call')
  })
}

/** Endpoints and handlers must match, or the server does not start. */
function checkComplete(routes: readonly Route[]): void {
  const handled = new Set(routes.map(({ endpoint }) => `${endpoint.method} ${toEndpointUrl(endpoint)}`))
  const promised = new Set(allEndpoints.map((endpoint) => `${endpoint.method} ${toEndpointUrl(endpoint)}`))
  const missing = [...promised].filter((call) => !handled.has(call))
  const extra = [...handled].filter((call) => !promised.has(call))
  if (missing.length > 0) throw new Error(`These calls have no handler: ${missing.join(', ')}`)
  if (extra.length > 0) throw new Error(`These handlers are not in the contract: ${extra.join(', ')}`)
}
