import type { Simulator } from './connector.ts'

const BASE = 'x-simulator-base'
const NOW = 'x-simulator-now'
/** Any address under this name is answered by a simulator and never reaches the network. */
const NOWHERE = 'http://simulator.invalid'

interface Place {
  /** The name under which the connector declared it. */
  host: string
  /** What `getHost` gives for it, without a slash at the end. */
  base: string
  /** The simulated instant; the real one when left out. */
  now?: Date
}

/** The simulator sees the platform's own paths, wherever it is mounted. */
export async function simulate(simulator: Simulator, request: Request, place: Place): Promise<Response> {
  const base = new URL(place.base)
  const url = new URL(request.url)
  url.pathname = url.pathname.slice(base.pathname.replace(/\/$/, '').length) || '/'
  const headers = new Headers(request.headers)
  headers.set(BASE, place.base)
  if (place.now) headers.set(NOW, place.now.toISOString())
  const body = request.body === null ? null : await request.arrayBuffer()
  return simulator(new Request(url, { method: request.method, headers, body, signal: request.signal }), place.host)
}

/** An absolute address that leads back to the simulator, also on a server of its own: for `next` links and `Link` headers. */
export const simulatedAddress = (request: Request, path: string): string =>
  `${request.headers.get(BASE) ?? new URL(request.url).origin}${path}`

/** What the simulator takes for the present. Sample data that grows must grow by this and not by the clock. */
export function simulatedNow(request: Request): Date {
  const stated = request.headers.get(NOW)
  return stated === null ? new Date() : new Date(stated)
}

/** The base address of a simulated host in the product. */
export const simulatedHost = (platform: string, host: string): string => `${NOWHERE}/${platform}/${host}`
