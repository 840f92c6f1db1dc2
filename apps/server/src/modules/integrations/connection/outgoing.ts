import type { Duplex } from 'node:stream'
import type { Connector } from '@trellis/connector-kit/connector'
import { ConnectorError } from '@trellis/connector-kit/connector-error'
import type { ConnectorContext, OutgoingRequest } from '@trellis/connector-kit/context'
import { OutgoingProblem } from '../../../platform/safe-http/problem.ts'
import type { SafeHttp } from '../../../platform/safe-http/safe-http.ts'

/** How a connection reaches the platform: over the guarded network, or a simulator in this very process. */
export type Outgoing = Pick<ConnectorContext, 'hostOf' | 'fetch' | 'connect'>

/** No name server answers for it: should a call ever leave the process, it goes nowhere. */
const SIMULATED = 'http://simulator.invalid'
const MOST_REDIRECTS = 5

const unknownHost = (connector: Connector, name: string) =>
  new ConnectorError('system', `${connector.name} declares no host "${name}".`)

export function overNetwork(http: SafeHttp, connector: Connector, signal: AbortSignal): Outgoing {
  return {
    hostOf: (name) => {
      const host = connector.hosts[name]
      if (host === undefined) throw unknownHost(connector, name)
      return host
    },
    fetch: async (url, init = {}) => await http.fetch(url, { ...init, signal: both(signal, init.signal) }),
    connect: async (target) => {
      const socket = await http.connectSocket({ ...target, signal })
      return endingWith(socket, signal)
    },
  }
}

/** What has a socket of its own hears of no signal: the work would go on at the other end. */
export function endingWith<S extends Duplex>(socket: S, signal: AbortSignal): S {
  const end = () => socket.destroy(new Error('The work was cancelled.'))
  if (signal.aborted) end()
  signal.addEventListener('abort', end, { once: true })
  socket.once('close', () => signal.removeEventListener('abort', end))
  return socket
}

const both = (signal: AbortSignal, other: AbortSignal | undefined) =>
  other === undefined ? signal : AbortSignal.any([signal, other])

export function toSimulator(connector: Connector, signal: AbortSignal): Outgoing {
  const base = `${SIMULATED}/${connector.code}/`
  return {
    hostOf: (name) => {
      if (!(name in connector.hosts)) throw unknownHost(connector, name)
      return `${base}${name}`
    },
    fetch: async (url, init = {}) => await askSimulator(connector, url, { ...init, signal: both(signal, init.signal) }),
    connect: async () => {
      throw new ConnectorError('configuration', 'A connection with invented data reaches no real system.')
    },
  }
}

async function askSimulator(connector: Connector, url: string, init: OutgoingRequest): Promise<Response> {
  const { signal = new AbortController().signal } = init
  const most = Math.min(init.redirects ?? MOST_REDIRECTS, MOST_REDIRECTS)
  let next = url
  for (let followed = 0; ; followed += 1) {
    signal.throwIfAborted()
    const answer = await simulate(connector, next, followed === 0 ? init : { signal })
    const location = answer.headers.get('location')
    if (answer.status < 300 || answer.status >= 400 || location === null || most === 0) return answer
    if (followed >= most) throw new OutgoingProblem('redirect_refused', 'The simulator redirects too often.')
    next = new URL(location, next).href
  }
}

/** The path begins with the platform and the name of the host, as the simulator's own addresses do. */
export async function simulate(connector: Connector, url: string, init: OutgoingRequest): Promise<Response> {
  const { pathname, origin } = new URL(url)
  const [, platform, host = ''] = pathname.split('/')
  if (origin !== SIMULATED || platform !== connector.code || !(host in connector.hosts) || !connector.simulator) {
    throw new OutgoingProblem('address_refused', 'A connection with invented data reaches no other address.')
  }
  const request = new Request(url, {
    method: init.method ?? 'GET',
    headers: init.headers ?? {},
    ...(init.body !== undefined && { body: init.body as BodyInit }),
    redirect: 'manual',
  })
  return await connector.simulator(request, host)
}
