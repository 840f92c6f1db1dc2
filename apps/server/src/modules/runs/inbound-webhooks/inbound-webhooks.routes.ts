import * as calls from '@trellis/contract/runs/inbound-webhooks.endpoints'
import { type Route, handle } from '../../../http/handle.ts'
import {
  createInboundWebhook,
  deleteInboundWebhook,
  getInboundWebhook,
  rotateInboundWebhook,
} from './inbound-webhooks.service.ts'

export const inboundWebhooksRoutes: readonly Route[] = [
  handle(calls.getInboundWebhook, ({ params }, ctx) => getInboundWebhook(ctx, params.trellis_code)),
  handle(calls.createInboundWebhook, ({ params }, ctx) => createInboundWebhook(ctx, params.trellis_code)),
  handle(calls.rotateInboundWebhook, ({ params }, ctx) => rotateInboundWebhook(ctx, params.trellis_code)),
  handle(calls.deleteInboundWebhook, ({ params }, ctx) => deleteInboundWebhook(ctx, params.trellis_code)),
]
