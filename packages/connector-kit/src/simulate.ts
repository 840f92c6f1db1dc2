import type { Simulator } from './connector.ts'

const BASE = 'x-simulator-base'
const NOW = 'x-simulator-now'
/** Addresses under this host are answered by a simulator and never reach the network. */
const SIMULATOR_ORIGIN = 'http://simulator.invalid'

interface SimulatedHost {
  host: string
  base: string
  now?: Date
}

/** The simulator sees the platform's own paths, wherever it is mounted. */
export async function simulate(simulator: Simulator, request: Request, place: SimulatedHost): Promise<Response> {
  const base = new URL(place.base)
  const url = new URL(request.url)
  url.pathname = url.pathname.slice(base.pathname.replace(/\/$/, '').length) || '/'
  const headers = new Headers(request.headers)
  headers.set(BASE, place.base)
  if (place.now) headers.set(NOW, place.now.toISOString())
  const body = request.body === null ? null : await request.arrayBuffer()
  return simulator(new Request(url, { method: request.method, headers, body, signal: request.signal }), place.host)
}

/** An absolute address for `next` links and `Link` headers, also if the simulator runs on its own server. */
export const toSimulatorUrl = (request: Request, path: string): string =>
  `${request.headers.get(BASE) ?? new URL(request.url).origin}${path}`

/** The simulator's clock. Growing sample data must use it instead of Date.now(). */
export function getSimulatorTime(request: Request): Date {
  const stated = request.headers.get(NOW)
  return stated === null ? new Date() : new Date(stated)
}

export const toSimulatorHost = (platform: string, host: string): string => `${SIMULATOR_ORIGIN}/${platform}/${host}`
