import type { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../platform/config.ts'
import type { HttpExchange } from '../platform/ctx.ts'
import { readForm } from './read-form.ts'
import { isFromThisMachine } from './this-machine.ts'

export function createHttpExchange(
  request: FastifyRequest,
  reply: FastifyReply,
  config: Config,
): Omit<HttpExchange, 'signedIn'> {
  // Browsers accept the __Secure- prefix over https only.
  const named = (name: string) => (config.isHttps ? `__Secure-${name}` : name)
  const gone = new AbortController()
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) gone.abort()
  })
  const auditDetail: Record<string, string> = {}
  return {
    ip: request.ip,
    isFromThisMachine: isFromThisMachine(request),
    userAgent: (request.headers['user-agent'] ?? '').slice(0, 400),
    authorization: request.headers.authorization,
    wantsRefreshInBody: request.headers['trellis-refresh'] === 'body',
    signal: gone.signal,
    // Multipart and byte bodies are read only after authorisation.
    bytes: () => request.body as Readable,
    form: (options) => readForm(request, options),
    auditDetail,
    // A request can have several notes; the audit line has all.
    addAuditDetail: ({ what, ...about }) => {
      Object.assign(auditDetail, about)
      if (what !== undefined)
        auditDetail['what'] = auditDetail['what'] === undefined ? what : `${auditDetail['what']}; ${what}`
    },
    auditNow: () => undefined,
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
