import { createHash, timingSafeEqual } from 'node:crypto'
import { type IncomingMessage, type ServerResponse, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type pg from 'pg'
import { ApiError, toErrorBody } from '../api-error.ts'
import { createId, sandboxNow } from '../sandbox-context.ts'
import { type FormTree, readForm } from '../form.ts'
import { type Store, withStore } from '../store.ts'
import { catalogueRoutes } from './catalogue-routes.ts'
import { checkoutRoutes } from './checkout-routes.ts'
import { creditNoteRoutes } from './credit-note-routes.ts'
import { customerRoutes } from './customer-routes.ts'
import { invoiceRoutes } from './invoice-routes.ts'
import { platformRoutes, portalRoutes } from './portal-routes.ts'
import type { ApiRoute, Refusal } from './route.ts'
import { subscriptionRoutes } from './subscription-routes.ts'

const MAX_BYTES = 512 * 1024

const ROUTES = [
  ...catalogueRoutes,
  ...customerRoutes,
  ...checkoutRoutes,
  ...subscriptionRoutes,
  ...invoiceRoutes,
  ...creditNoteRoutes,
  ...portalRoutes,
  ...platformRoutes,
].map((route) => ({ route, pattern: new RegExp(`^${route.path.replace(':id', '([\\w-]+)')}$`) }))

export interface ServeOptions {
  pool: pg.Pool
  secretKey: string
  pagesUrl: string
  onWrite: () => void
}

interface Answer {
  status: number
  body: object
  isReplay?: boolean
}

export async function serveApi(options: ServeOptions): Promise<{ port: number; stop: () => Promise<void> }> {
  const server = createServer((request, response) => void respond(options, request, response))
  server.requestTimeout = 30_000
  // A keep-alive connection closed at the moment of its reuse fails a request that is not retried.
  server.keepAliveTimeout = 10 * 60_000
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo
  const stop = async () => {
    server.closeAllConnections()
    await new Promise<void>((resolve) => server.close(() => resolve()))
  }
  return { port, stop }
}

async function respond(options: ServeOptions, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const requestId = createId('req')
  const answer = await handle(options, request).catch((error: unknown): Answer => {
    if (error instanceof ApiError) return { status: error.status, body: toErrorBody(error) }
    return {
      status: 500,
      body: toErrorBody(new ApiError(500, 'The payment sandbox had a problem.', { type: 'api_error' })),
    }
  })
  response.writeHead(answer.status, {
    'content-type': 'application/json',
    'request-id': requestId,
    'stripe-should-retry': 'false',
    ...(answer.isReplay ? { 'idempotent-replayed': 'true' } : {}),
  })
  response.end(JSON.stringify(answer.body))
}

async function handle(options: ServeOptions, request: IncomingMessage): Promise<Answer> {
  checkKey(request.headers.authorization, options.secretKey)
  const url = new URL(request.url ?? '/', 'http://sandbox')
  const found = ROUTES.map(({ route, pattern }) => ({ route, match: pattern.exec(url.pathname) })).find(
    ({ route, match }) => match !== null && route.method === request.method,
  )
  if (!found) throw new ApiError(404, `Unrecognized request URL (${request.method}: ${url.pathname}).`)
  const body = await readBody(request)
  const call = { id: found.match?.[1] ?? '', form: readForm(request.method === 'GET' ? url.search : body) }
  const isWrite = request.method !== 'GET'
  const key = isWrite ? request.headers['idempotency-key'] : undefined
  const work = async (store: Store) => await perform(store, { ...call, options, route: found.route })
  const answer = await withStore(options.pool, { isWrite }, async (store) => {
    if (typeof key !== 'string') return await work(store)
    return await runOncePerKey(store, { key, text: `${request.method} ${url.pathname} ${body}` }, work)
  })
  if (isWrite) options.onWrite()
  return answer
}

async function perform(
  store: Store,
  call: { route: ApiRoute; id: string; form: FormTree; options: ServeOptions },
): Promise<Answer> {
  const context = { store, now: await sandboxNow(store), testClock: null, pagesUrl: call.options.pagesUrl }
  const body = await call.route.run(context, { id: call.id, form: call.form })
  if (isRefusal(body)) return { status: body.refusal.status, body: toErrorBody(body.refusal) }
  return { status: 200, body }
}

function isRefusal(body: object): body is Refusal {
  return 'refusal' in body && body.refusal instanceof ApiError
}

async function runOncePerKey(
  store: Store,
  about: { key: string; text: string },
  work: (store: Store) => Promise<Answer>,
): Promise<Answer> {
  const fingerprint = createHash('sha256').update(about.text).digest('hex')
  const [kept] = await store.query<{ fingerprint: string; status: number; body: object }>(
    'select fingerprint, status, body from sandbox_requests where key = $1',
    [about.key],
  )
  if (kept && kept.fingerprint !== fingerprint) {
    const message = 'Keys for idempotent requests can only be used with the same parameters they were first used with.'
    throw new ApiError(400, message, { type: 'idempotency_error' })
  }
  if (kept) return { status: kept.status, body: kept.body, isReplay: true }
  const answer = await work(store)
  await store.query('insert into sandbox_requests (key, fingerprint, status, body) values ($1, $2, $3, $4)', [
    about.key,
    fingerprint,
    answer.status,
    JSON.stringify(answer.body),
  ])
  return answer
}

function checkKey(authorization: string | undefined, secretKey: string): void {
  const given = Buffer.from((authorization ?? '').replace(/^Bearer /, ''))
  const wanted = Buffer.from(secretKey)
  if (given.length !== wanted.length || !timingSafeEqual(given, wanted))
    throw new ApiError(401, 'Invalid API Key provided.')
}

async function readBody(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  let bytes = 0
  for await (const part of request as AsyncIterable<Buffer>) {
    bytes += part.length
    if (bytes > MAX_BYTES) throw new ApiError(413, 'The request is too large.')
    parts.push(part)
  }
  return Buffer.concat(parts).toString('utf8')
}
