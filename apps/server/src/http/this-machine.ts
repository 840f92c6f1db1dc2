import type { FastifyRequest } from 'fastify'

/** Behind a local proxy every client looks local; its headers reveal it. */
export function isFromThisMachine(request: FastifyRequest): boolean {
  const isPassedOn = Object.keys(request.headers).some(
    (name) => name === 'forwarded' || name === 'via' || name.startsWith('x-forwarded-'),
  )
  return !isPassedOn && isLoopback(request.ip) && isLoopback(request.host.replace(/:\d+$/, ''))
}

function isLoopback(host: string): boolean {
  return /^(localhost|127(\.\d{1,3}){3}|\[?::1\]?|::ffff:127(\.\d{1,3}){3})$/i.test(host)
}
