import { type Socket, isIP } from 'node:net'
import { Agent, type Dispatcher, buildConnector, request } from 'undici'
import { type AddressRules, createAddressGuard } from './address-guard.ts'
import { type Resolver, checkHost, connectChecked, systemResolver } from './checked-connect.ts'
import { OutgoingProblem } from './problem.ts'
import { type Hop, followRedirect, isRedirect, readUrl } from './redirects.ts'
import { toResponse } from './response.ts'

interface SafeRequest {
  method?: string
  headers?: HeadersInit
  body?: string | Uint8Array | undefined
  signal?: AbortSignal | undefined
  /** Total: DNS, all redirects, and the body. */
  timeoutMs?: number
  /** For bodies of any length: `timeoutMs` then ends with the first byte, and this limits each pause. */
  idleMs?: number
  maxBytes?: number
  /** At most 5. With 0 the redirect itself is returned. */
  redirects?: number
}

export interface SafeHttp {
  fetch(url: string | URL, options?: SafeRequest): Promise<Response>
  connectSocket(target: { host: string; port: number; timeoutMs?: number; signal?: AbortSignal }): Promise<Socket>
  close(): Promise<void>
}

const TIMEOUT_MS = 30_000
const MAX_BYTES = 32 * 1024 * 1024
const MAX_REDIRECTS = 5

/** Required for every request whose target comes from a user, a connector or a model. */
export function createSafeHttp(options: AddressRules & { resolver?: Resolver }): SafeHttp {
  const guard = createAddressGuard(options)
  const resolver = options.resolver ?? systemResolver
  const secure = buildConnector({ timeout: TIMEOUT_MS, allowH2: false })

  /** Every connection is checked here, after DNS and redirects. */
  async function open(target: buildConnector.Options): Promise<Socket> {
    const host = await checkHost(guard, resolver, target.hostname)
    const isSecure = target.protocol === 'https:'
    const port = Number(target.port) || (isSecure ? 443 : 80)
    const socket = await connectChecked(host, port, AbortSignal.timeout(TIMEOUT_MS))
    if (!isSecure) return socket
    const servername = isIP(host.hostname) ? {} : { servername: host.hostname }
    return await new Promise((resolve, reject) => {
      secure({ ...target, ...servername, httpSocket: socket }, (error, encrypted) => {
        if (!error) return resolve(encrypted)
        socket.destroy()
        reject(error)
      })
    })
  }

  const agent = new Agent({
    allowH2: false,
    connections: 32,
    pipelining: 1,
    keepAliveTimeout: 4000,
    connect: (target, callback) => {
      open(target).then(
        (socket) => callback(null, socket),
        (error: Error) => callback(error, null),
      )
    },
  })

  return {
    fetch: async (url, init = {}) => {
      const { timeoutMs = TIMEOUT_MS, idleMs, maxBytes = MAX_BYTES, redirects = MAX_REDIRECTS } = init
      const { timeout, stop } = startTimer(timeoutMs)
      const signal = init.signal ? AbortSignal.any([init.signal, timeout]) : timeout
      let hop = createFirstHop(url, init)
      for (let followed = 0; ; followed += 1) {
        const answer = await sendRequest(agent, hop, signal).catch((error: unknown) => {
          throw toOutgoingProblem(error, hop.url, timeout)
        })
        const location = answer.headers['location']
        if (!isRedirect(answer.statusCode) || typeof location !== 'string' || redirects === 0) {
          if (idleMs !== undefined) stop()
          return toResponse(answer, { url: hop.url, maxBytes, idleMs })
        }
        await answer.body.dump({ limit: 64 * 1024, signal }).catch(() => undefined)
        if (followed >= Math.min(redirects, MAX_REDIRECTS)) {
          throw new OutgoingProblem('redirect_refused', `${hop.url.hostname} redirects too often.`)
        }
        hop = followRedirect(hop, { status: answer.statusCode, location })
      }
    },
    connectSocket: async ({ host, port, timeoutMs = TIMEOUT_MS, signal }) => {
      const timeout = AbortSignal.timeout(timeoutMs)
      const checkedHost = await checkHost(guard, resolver, host)
      return await connectChecked(checkedHost, port, signal ? AbortSignal.any([signal, timeout]) : timeout)
    },
    close: async () => await agent.destroy(),
  }
}

function startTimer(ms: number): { timeout: AbortSignal; stop: () => void } {
  const over = new AbortController()
  const timer = setTimeout(() => over.abort(new DOMException('The time is up.', 'TimeoutError')), ms)
  timer.unref()
  return { timeout: over.signal, stop: () => clearTimeout(timer) }
}

function createFirstHop(url: string | URL, init: SafeRequest): Hop {
  const headers = new Headers(init.headers)
  // No compression, hence no decompression bombs.
  headers.set('accept-encoding', 'identity')
  headers.delete('host')
  const body = typeof init.body === 'string' ? Buffer.from(init.body) : init.body
  return { url: readUrl(url), method: (init.method ?? 'GET').toUpperCase(), headers, body }
}

async function sendRequest(dispatcher: Dispatcher, hop: Hop, signal: AbortSignal): Promise<Dispatcher.ResponseData> {
  return await request(hop.url, {
    dispatcher,
    method: hop.method as Dispatcher.HttpMethod,
    headers: Object.fromEntries(hop.headers),
    body: hop.body ?? null,
    signal,
    headersTimeout: 0,
    bodyTimeout: 0,
  })
}

function toOutgoingProblem(error: unknown, url: URL, timeout: AbortSignal): unknown {
  if (timeout.aborted) return new OutgoingProblem('timed_out', `${url.hostname} did not answer in time.`, error)
  if (error instanceof OutgoingProblem || (error as Error).name === 'AbortError') return error
  return new OutgoingProblem('unreachable', `${url.hostname} could not be reached: ${(error as Error).message}`, error)
}
