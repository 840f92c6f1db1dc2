import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { WEBHOOKS_PATH } from '../modules/runs/inbound-webhooks/inbound-webhooks.service.ts'
import {
  type CalledWebhook,
  admitWebhookCall,
  startByWebhook,
} from '../modules/runs/inbound-webhooks/receive-call.service.ts'
import { AppError } from '../platform/app-error.ts'
import { readIdempotencyKey } from '../platform/idempotency.ts'
import { toSystemCtx } from './admit.ts'
import type { MountDeps } from './mount.ts'

const WEBHOOK_URL = `${WEBHOOKS_PATH}/:code/:secret`

const MAX_BODY_BYTES = 64 * 1024

const OTHER_METHODS = ['GET', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

declare module 'fastify' {
  interface FastifyRequest {
    webhook: CalledWebhook | null
  }
}

/** Not in the contract: any payload is accepted, and the URL authenticates. */
export function mountInboundWebhooks(app: FastifyInstance, deps: MountDeps): void {
  app.register(async (scope) => {
    scope.decorateRequest('webhook', null)
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, _body, done) => done(null))
    scope.route<{ Params: { code: string; secret: string } }>({
      method: 'POST',
      url: WEBHOOK_URL,
      bodyLimit: MAX_BODY_BYTES,
      config: { endpointId: 'startByWebhook' },
      onRequest: async (request, reply) => {
        void reply.header('cache-control', 'no-store')
        request.webhook = await admitWebhookCall(toSystemCtx(request, deps), { ...request.params, ip: request.ip })
        // Otherwise an invalid content type would be refused.
        delete request.headers['content-type']
      },
      handler: async (request, reply) => {
        const webhook = request.webhook as CalledWebhook
        const { body, isReplay } = await startByWebhook(toSystemCtx(request, deps), {
          webhook,
          idempotencyKey: readIdempotencyKey(request.headers['idempotency-key']),
          db: deps.control.forAccount(webhook.account_id),
        })
        if (isReplay) void reply.header('idempotency-replayed', 'true')
        return await reply.code(202).send(body)
      },
    })
    // Without a lookup, so that the response does not reveal whether the URL exists.
    const refuse = async (_request: FastifyRequest, reply: FastifyReply) => {
      void reply.headers({ allow: 'POST', 'cache-control': 'no-store' })
      throw new AppError('method_not_allowed', 'A webhook URL takes POST only. Send a POST request to it.')
    }
    scope.route({ method: OTHER_METHODS, url: WEBHOOK_URL, onRequest: refuse, handler: refuse })
  })
}
