import type { FastifyInstance } from 'fastify'
import { SIMULATORS_PATH, answerSimulatorPage } from '../modules/integrations/simulators.service.ts'
import type { MountDeps } from './mount.ts'

const SIMULATOR_POLICY = [
  "default-src 'none'",
  "style-src 'unsafe-inline'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join('; ')

export function mountSimulators(app: FastifyInstance, { ports, clock }: MountDeps): void {
  if (!ports.config.hasSimulators) return
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body))
    scope.route({
      method: ['GET', 'POST'],
      url: `${SIMULATORS_PATH}/*`,
      handler: async (request, reply) => {
        const url = new URL(request.url, 'http://own')
        const answer = await answerSimulatorPage(
          { ports, clock },
          {
            method: request.method === 'POST' ? 'POST' : 'GET',
            path: url.pathname.slice(SIMULATORS_PATH.length),
            search: url.search,
            contentType: request.headers['content-type'],
            body: typeof request.body === 'string' ? request.body : '',
          },
        )
        return await reply
          .code(answer.status)
          .header('content-security-policy', SIMULATOR_POLICY)
          .header('cache-control', 'no-store')
          .headers(answer.headers)
          .send(answer.body)
      },
    })
  })
}
