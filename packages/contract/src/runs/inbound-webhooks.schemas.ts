import * as z from 'zod/mini'
import { Instant } from '../core/shapes.ts'

export const InboundWebhook = z.object({
  webhook_trellis_code: z.string(),
  url_prefix: z.string(),
  created_at: Instant,
  who: z.nullable(z.string()),
  rotated_at: z.nullable(Instant),
  /** The latest call that started a flow run. */
  last_call: z.nullable(z.object({ at: Instant, flow_run_trellis_code: z.string() })),
})
export type InboundWebhook = z.infer<typeof InboundWebhook>

export const FoundInboundWebhook = z.object({ webhook: z.nullable(InboundWebhook) })

/** `url` contains the secret and is returned once. */
export const NewInboundWebhook = z.extend(InboundWebhook, { url: z.string() })
export type NewInboundWebhook = z.infer<typeof NewInboundWebhook>
