import type { FastifyInstance } from 'fastify'
import { AppError } from '../platform/app-error.ts'
import type { Ports } from '../platform/ports.ts'

const MAX_BYTES = 4 * 1024 * 1024

/** Forwards browser error reports, only to the configured project, so that the CSP needs no other host. */
export function mountReportTunnel(app: FastifyInstance, ports: Ports): void {
  const { reportDsn } = ports.config
  if (!reportDsn) return
  const dsn = new URL(reportDsn)
  const project = dsn.pathname.split('/').pop() ?? ''
  const target = `${dsn.protocol}//${dsn.host}${dsn.pathname.replace(/[^/]*$/, '')}api/${project}/envelope/`

  app.register(async (tunnel) => {
    tunnel.removeAllContentTypeParsers()
    tunnel.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: MAX_BYTES }, (_request, body, done) =>
      done(null, body),
    )
    tunnel.post('/report', async (request, reply) => {
      const body = request.body as Buffer
      const header = body.subarray(0, Math.max(0, body.indexOf(0x0a))).toString('utf8')
      if (!isForProject(header, dsn))
        throw new AppError('invalid_request', 'This report is not for the project set up here.')
      const response = await ports.http.fetch(target, {
        method: 'POST',
        headers: { 'content-type': 'application/x-sentry-envelope' },
        body,
        timeoutMs: 10_000,
        maxBytes: 64 * 1024,
      })
      return await reply.code(response.status < 500 ? 200 : 502).send({})
    })
  })
}

function isForProject(header: string, dsn: URL): boolean {
  try {
    const named = new URL((JSON.parse(header) as { dsn: string }).dsn)
    return named.host === dsn.host && named.pathname === dsn.pathname && named.username === dsn.username
  } catch {
    return false
  }
}
