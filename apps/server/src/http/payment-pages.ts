import { timingSafeEqual } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { receiveWebhook } from '../modules/billing/inbox.service.ts'
import type { Config } from '../platform/config.ts'
import { SANDBOX_PATH, WEBHOOK_PATH } from '../platform/payments/payments.ts'
import { toSystemCtx } from './admit.ts'
import type { MountDeps } from './mount.ts'
import { checkOrigin } from './origin.ts'
import { isFromThisMachine } from './this-machine.ts'
import { addressNotFoundError } from './wire-error.ts'

export function mountPayments(app: FastifyInstance, deps: MountDeps): void {
  const { payments, config } = deps.ports
  app.register(async (scope) => {
    // Signatures cover the raw body.
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
    scope.post(WEBHOOK_PATH, async (request, reply) => {
      const signature = request.headers['stripe-signature']
      const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
      await receiveWebhook(toSystemCtx(request, deps), {
        body,
        signature: typeof signature === 'string' ? signature : undefined,
      })
      return await reply.send({ received: true })
    })
    if (payments.isSandbox) mountPages(scope, deps)
  })
  app.addHook('onListen', async () => {
    const { port } = app.server.address() as AddressInfo
    await payments.receiveAt(`http://${getLoopbackHost(config)}:${port}${WEBHOOK_PATH}`)
  })
  app.addHook('onClose', async () => await payments.close())
}

function mountPages(scope: FastifyInstance, deps: MountDeps): void {
  const { payments, config } = deps.ports
  scope.route({
    method: ['GET', 'POST'],
    url: `${SANDBOX_PATH}/*`,
    handler: async (request, reply) => {
      if (request.method === 'POST') checkOrigin(request, config)
      const sandbox = await payments.sandbox()
      if (!sandbox) throw addressNotFoundError()
      const url = new URL(request.url, 'http://own')
      const answer = await sandbox.page({
        method: request.method === 'POST' ? 'POST' : 'GET',
        path: url.pathname.slice(SANDBOX_PATH.length),
        search: url.search,
        body: Buffer.isBuffer(request.body) ? request.body.toString('utf8') : '',
        canMoveClock: canMoveClock(request, config, url.searchParams.get('token')),
      })
      return await reply.code(answer.status).headers(answer.headers).send(answer.body)
    },
  })
}

function canMoveClock(request: FastifyRequest, config: Config, token: string | null): boolean {
  const given = Buffer.from(token ?? '')
  const wanted = Buffer.from(config.mailboxToken ?? '')
  if (wanted.length > 0) return given.length === wanted.length && timingSafeEqual(given, wanted)
  return !config.trustProxy && isFromThisMachine(request)
}

function getLoopbackHost(config: Config): string {
  if (config.host === '0.0.0.0' || config.host === '::') return '127.0.0.1'
  return config.host.includes(':') ? `[${config.host}]` : config.host
}
