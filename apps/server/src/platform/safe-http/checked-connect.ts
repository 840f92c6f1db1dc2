import { lookup } from 'node:dns/promises'
import { type Socket, connect, isIP } from 'node:net'
import type { AddressGuard } from './address-guard.ts'
import { OutgoingProblem } from './problem.ts'

export type Resolver = (hostname: string) => Promise<string[]>

export const systemResolver: Resolver = async (hostname) => {
  const answers = await lookup(hostname, { all: true, verbatim: true })
  return answers.map((answer) => answer.address)
}

export interface CheckedHost {
  hostname: string
  /** Connect to these only: resolving again may give other addresses (DNS rebinding). */
  addresses: readonly [string, ...string[]]
}

/** Normalises decimal, hexadecimal, full-width and bracketed hosts. */
function canonicalHost(host: string): string {
  const text = host.includes(':') && !host.startsWith('[') ? `[${host}]` : host
  const url = /[\s/?#@\\%]/.test(text) || text === '' ? null : URL.parse(`http://${text}`)
  if (!url?.hostname || url.port !== '' || url.username !== '' || url.pathname !== '/') {
    throw new OutgoingProblem('url_invalid', 'The host name is not valid.')
  }
  return url.hostname.replace(/^\[|\]$/g, '')
}

export async function checkHost(guard: AddressGuard, resolver: Resolver, host: string): Promise<CheckedHost> {
  const hostname = canonicalHost(host)
  const addresses = isIP(hostname) ? [hostname] : await resolve(resolver, hostname)
  const isNamed = guard.isNamed(hostname)
  const [first, ...others] = addresses
  if (first === undefined) throw new OutgoingProblem('unreachable', `The host ${hostname} could not be found.`)
  // One private address refuses the host. It is not named, since that would map the internal network.
  if (!addresses.every((address) => guard.isAllowed(address, isNamed))) {
    throw new OutgoingProblem(
      'address_refused',
      `Connecting to ${hostname} is not allowed, because it is not on the public internet. Whoever runs this Trellis can allow it with TRELLIS_ALLOWED_HOSTS.`,
    )
  }
  return { hostname, addresses: [first, ...others] }
}

async function resolve(resolver: Resolver, hostname: string): Promise<string[]> {
  try {
    return await resolver(hostname)
  } catch (error) {
    throw new OutgoingProblem('unreachable', `The host ${hostname} could not be found.`, error)
  }
}

const MAX_TRIED = 4

export async function connectChecked(host: CheckedHost, port: number, signal: AbortSignal): Promise<Socket> {
  let last: unknown
  for (const address of host.addresses.slice(0, MAX_TRIED)) {
    try {
      return await connectTo(address, port, signal)
    } catch (error) {
      if (signal.aborted) throw new OutgoingProblem('timed_out', `${host.hostname} did not answer in time.`, error)
      last = error
    }
  }
  throw new OutgoingProblem('unreachable', `${host.hostname} could not be reached on port ${port}.`, last)
}

async function connectTo(address: string, port: number, signal: AbortSignal): Promise<Socket> {
  signal.throwIfAborted()
  return await new Promise((resolve, reject) => {
    const socket = connect({ host: address, port, noDelay: true })
    const end = (error: Error) => {
      signal.removeEventListener('abort', abort)
      socket.destroy()
      reject(error)
    }
    const abort = () => end(new Error('aborted'))
    signal.addEventListener('abort', abort, { once: true })
    socket.once('error', end)
    socket.once('connect', () => {
      signal.removeEventListener('abort', abort)
      socket.off('error', end)
      resolve(socket)
    })
  })
}
