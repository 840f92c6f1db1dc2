import type { NewInboundWebhook } from '@trellis/contract/runs/inbound-webhooks.schemas'
import { FakeError } from '../fake-error.ts'
import type { Handler, Input } from '../fake-handler.ts'
import type { FakeWorld } from '../fake-world.ts'

const getFlowCode = ({ params }: Input): string => params['trellis_code'] ?? ''

function getWebhook(world: FakeWorld, input: Input) {
  const webhook = world.dataflows.webhooks.get(getFlowCode(input))
  if (!webhook) throw new FakeError('not_found')
  return webhook
}

export const webhookHandlers: Record<string, Handler> = {
  getInboundWebhook: (world, input) => ({ webhook: world.dataflows.webhooks.get(getFlowCode(input)) ?? null }),
  createInboundWebhook: (world, input): NewInboundWebhook => {
    const webhook = {
      webhook_trellis_code: 'w1',
      url_prefix: 'https://trellis.example/hooks/w1/',
      created_at: '2026-11-01T09:00:00.000Z',
      who: 'Ada Lovelace',
      rotated_at: null,
      last_call: null,
    }
    world.dataflows.webhooks.set(getFlowCode(input), webhook)
    return { ...webhook, url: `${webhook.url_prefix}secret-1` }
  },
  rotateInboundWebhook: (world, input): NewInboundWebhook => {
    const webhook = Object.assign(getWebhook(world, input), { rotated_at: '2026-11-02T09:00:00.000Z' })
    return { ...webhook, url: `${webhook.url_prefix}secret-2` }
  },
  deleteInboundWebhook: (world, input) => {
    getWebhook(world, input)
    world.dataflows.webhooks.delete(getFlowCode(input))
    return { done: true }
  },
}
