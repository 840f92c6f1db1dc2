import type { Duplex } from 'node:stream'
import type { Connector } from '@trellis/connector-kit/connector'
import { ConnectorError } from '@trellis/connector-kit/connector-error'
import type { ConnectorContext, OutgoingRequest } from '@trellis/connector-kit/context'
import { simulate, toSimulatorHost } from '@trellis/connector-kit/simulate'
import { OutgoingProblem } from '../../../platform/safe-http/problem.ts'
import type { SafeHttp } from '../../../platform/safe-http/safe-http.ts'
import { raceWithSignal } from './or-ended.ts'

export type OutboundNetwork = Pick<ConnectorContext, 'getHost' | 'fetch' | 'connect'>

const MAX_REDIRECTS = 5

const unknownHost = (connector: Connector, name: string) =>
  new ConnectorError('system', `${connector.name} declares no host "${name}".`)

export function overNetwork(http: SafeHttp, connector: Connector, signal: AbortSignal): OutboundNetwork {
  return {
    getHost: (name) => {
      const host = connector.hosts[name]
      if (host === undefined) throw unknownHost(connector, name)
      return host
    },
    fetch: async (url, init = {}) => await http.fetch(url, { ...init, signal: combineSignals(signal, init.signal) }),
    connect: async ({ host, port, signal: own = signal }) =>
      endingWith(await http.connectSocket({ host, port, signal: own }), own),
  }
}

/** Sockets ignore abort signals; without this the server would continue working. */
export function endingWith<S extends Duplex>(socket: S, signal: AbortSignal): S {
  const end = () => socket.destroy(new Error('The work was cancelled.'))
  if (signal.aborted) end()
  signal.addEventListener('abort', end, { once: true })
  socket.once('close', () => signal.removeEventListener('abort', end))
  return socket
}

const combineSignals = (signal: AbortSignal, other: AbortSignal | undefined) =>
  other === undefined ? signal : AbortSignal.any([signal, other])

export function toSimulator(
  connector: Connector,
  { signal, now }: { signal: AbortSignal; now: () => Date },
): OutboundNetwork {
  return {
    getHost: (name) => {
      if (!(name in connector.hosts)) throw unknownHost(connector, name)
      return toSimulatorHost(connector.code, name)
    },
    fetch: async (url, init = {}) =>
      await sendToSimulator({ connector, now: now() }, url, { ...init, signal: combineSignals(signal, init.signal) }),
    connect: async () => {
      throw new ConnectorError('configuration', 'A connection with sample data reaches no real system.')
    },
  }
}

interface SimulatedConnector {
  readonly connector: Connector
  readonly now: Date
}

async function sendToSimulator(
  simulated: SimulatedConnector,
  url: string,
  init: OutgoingRequest & { signal: AbortSignal },
): Promise<Response> {
  const most = Math.min(init.redirects ?? MAX_REDIRECTS, MAX_REDIRECTS)
  let next = url
  for (let followed = 0; ; followed += 1) {
    const answer = await raceWithSignal(callSimulator(simulated, next, followed === 0 ? init : {}), init.signal)
    const location = answer.headers.get('location')
    if (answer.status < 300 || answer.status >= 400 || location === null || most === 0) return answer
    if (followed >= most) throw new OutgoingProblem('redirect_refused', 'The simulator redirects too often.')
    next = new URL(location, next).href
  }
}

async function callSimulator(
  { connector, now }: SimulatedConnector,
  url: string,
  init: OutgoingRequest,
): Promise<Response> {
  const host = Object.keys(connector.hosts).find((name) => isUnder(url, toSimulatorHost(connector.code, name)))
  if (host === undefined || !connector.simulator) {
    throw new OutgoingProblem('address_refused', 'A connection with sample data reaches no other address.')
  }
  const { method = 'GET', headers = {}, body } = init
  const request = new Request(url, { method, headers, ...(body !== undefined && { body: body as BodyInit }) })
  return await simulate(connector.simulator, request, { host, base: toSimulatorHost(connector.code, host), now })
}

const isUnder = (url: string, base: string) => url.startsWith(base) && /^($|[/?#])/.test(url.slice(base.length))
