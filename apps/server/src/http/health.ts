import { timingSafeEqual } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type pg from 'pg'
import type { Config } from '../platform/config.ts'
import { renderMetrics } from '../platform/metrics.ts'
import { isFromThisMachine } from './this-machine.ts'

/** `/metrics` requires a token, or a caller on this machine. */
export function mountHealth(app: FastifyInstance, deps: { pool: pg.Pool; config: Config }): void {
  app.get('/healthz', async () => ({ status: 'ok' }))

  app.get('/readyz', async (_request, reply) => {
    try {
      await deps.pool.query('select 1')
      return { status: 'ready' }
    } catch {
      return await reply.code(503).header('retry-after', '2').send({ status: 'waiting for the database' })
    }
  })

  app.get('/metrics', async (request, reply) => {
    if (!mayReadMetrics(request, deps.config)) {
      return await reply.code(404).send({ status: 'not found' })
    }
    const { contentType, body } = await renderMetrics()
    return await reply.type(contentType).send(body)
  })
}

function mayReadMetrics(request: FastifyRequest, config: Config): boolean {
  if (!config.metricsToken) return config.isOnlyHere && isFromThisMachine(request)
  const given = Buffer.from(request.headers.authorization?.replace(/^Bearer /, '') ?? '')
  const wanted = Buffer.from(config.metricsToken)
  return given.length === wanted.length && timingSafeEqual(given, wanted)
}
