import type { FormaValues } from '@trellis/contract/formas/forma'
import type { Simulator } from '../connector.ts'
import type { ConnectorContext, OutgoingRequest } from '../context.ts'
import { simulate } from '../simulate.ts'
import { type Fault, withFaults } from './faults.ts'
import { createVirtualTime } from './virtual-budget.ts'

export interface TestContextOptions {
  values?: FormaValues
  signal?: AbortSignal
  now?: Date
  /** Base addresses by name: `http://simulator.invalid` goes to the simulator, others to the network. */
  hosts?: Readonly<Record<string, string>>
  simulator?: Simulator
  faults?: readonly Fault[]
  tokens?: readonly string[]
  connect?: ConnectorContext['connect']
  ownDatabase?: ConnectorContext['ownDatabase']
  interactiveLimits?: ConnectorContext['interactiveLimits']
}

interface SeenRequest {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
  readonly at: number
}

export interface TestContext extends ConnectorContext {
  readonly requests: readonly SeenRequest[]
  readonly logs: readonly string[]
  readonly refreshes: () => number
  readonly spent: () => number
}

const SIMULATED = 'http://simulator.invalid/test'
/** Fixed, so that tests do not depend on today's date. */
export const TEST_NOW = new Date('2026-11-10T12:00:00.000Z')

/** Time passes only by waiting; no network unless `hosts` names an address. */
export function createTestContext(options: TestContextOptions = {}): TestContext {
  const { values = {}, hosts = {}, now = TEST_NOW, simulator, tokens = ['token-1', 'token-2', 'token-3'] } = options
  const signal = options.signal ?? new AbortController().signal
  const time = createVirtualTime(now, signal)
  const requests: SeenRequest[] = []
  const logs: string[] = []
  const faulty = withFaults(simulator ?? refuseAll, options.faults ?? [])
  let current = 0

  const answer = async (url: string, init: OutgoingRequest): Promise<Response> => {
    signal.throwIfAborted()
    const seen = {
      method: init.method ?? 'GET',
      url,
      headers: { ...init.headers },
      body: decodeBody(init.body),
      at: +time.now(),
    }
    requests.push(seen)
    const request = toRequest(url, init, signal)
    if (!simulator) return fetch(request)
    return simulate(faulty, request, { ...findHost(url, hosts), now })
  }
  return {
    values,
    signal,
    requests,
    logs,
    now: time.now,
    wait: time.wait,
    budget: time.budget,
    spent: () => time.spent,
    refreshes: () => current,
    log: (level, message) => void logs.push(`${level} ${message}`),
    getHost: (name) => hosts[name] ?? `${SIMULATED}/${name}`,
    fetch: async (url, init = {}) => abortable(answer(url, init), signal),
    connect: options.connect ?? (() => Promise.reject(new Error('This test allows no connections.'))),
    async accessToken({ isStale } = {}) {
      if (isStale !== undefined && isStale === tokens[current]) current = Math.min(current + 1, tokens.length - 1)
      return tokens[current] ?? ''
    },
    ...(options.ownDatabase ? { ownDatabase: options.ownDatabase } : {}),
    ...(options.interactiveLimits ? { interactiveLimits: options.interactiveLimits } : {}),
  }
}

const refuseAll: Simulator = async () => new Response('no simulator', { status: 404 })

function findHost(url: string, hosts: Readonly<Record<string, string>>): { host: string; base: string } {
  if (url.startsWith(`${SIMULATED}/`)) {
    const host = url.slice(SIMULATED.length + 1).split(/[/?#]/)[0] ?? ''
    return { host, base: `${SIMULATED}/${host}` }
  }
  const named = Object.entries(hosts).find(([, base]) => base !== '' && url.startsWith(base))
  return named ? { host: named[0], base: named[1] } : { host: '', base: new URL(url).origin }
}

function toRequest(url: string, init: OutgoingRequest, signal: AbortSignal): Request {
  const { method = 'GET', headers = {}, body } = init
  const signals = init.signal ? AbortSignal.any([signal, init.signal]) : signal
  return new Request(url, { method, headers, body: (body as BodyInit | undefined) ?? null, signal: signals })
}

const decodeBody = (body: OutgoingRequest['body']) =>
  body === undefined || typeof body === 'string' ? body : new TextDecoder().decode(body)

function abortable<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason as Error)
    if (signal.aborted) stop()
    signal.addEventListener('abort', stop, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
  })
}
