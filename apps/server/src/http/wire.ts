import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../platform/config.ts'
import type { Wire } from '../platform/ctx.ts'
import { isFromThisMachine } from './this-machine.ts'

export function createWire(request: FastifyRequest, reply: FastifyReply, config: Config): Wire {
  // The prefix makes browsers refuse the cookie on plain http, so it can only be used behind https.
  const named = (name: string) => (config.isHttps ? `__Secure-${name}` : name)
  return {
    ip: request.ip,
    isFromThisMachine: isFromThisMachine(request),
    userAgent: (request.headers['user-agent'] ?? '').slice(0, 400),
    authorization: request.headers.authorization,
    wantsRefreshInBody: request.headers['trellis-refresh'] === 'body',
    cookie: (name) => request.cookies[named(name)],
    setCookie: (name, value, { path, maxAgeSeconds }) => {
      void reply.setCookie(named(name), value ?? '', {
        path,
        httpOnly: true,
        sameSite: 'strict',
        secure: config.isHttps,
        ...(value === null ? { maxAge: 0 } : maxAgeSeconds === undefined ? {} : { maxAge: maxAgeSeconds }),
      })
    },
  }
}
