import type { FastifyRequest } from 'fastify'

/** A proxy on this machine makes every visitor look local; what it adds to the request gives it away. */
export function isFromThisMachine(request: FastifyRequest): boolean {
  const isPassedOn = Object.keys(request.headers).some(
    (name) => name === 'forwarded' || name === 'via' || name.startsWith('x-forwarded-'),
  )
  return !isPassedOn && isLoopback(request.ip) && isLoopback(request.host.replace(/:\d+$/, ''))
}

function isLoopback(host: string): boolean {
  return /^(localhost|127(\.\d{1,3}){3}|\[?::1\]?|::ffff:127(\.\d{1,3}){3})$/i.test(host)
}
