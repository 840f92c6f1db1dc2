import * as z from 'zod/mini'
import { Instant } from '../core/shapes.ts'

/** The address by which other systems start a dataflow, without its secret. */
export const InboundWebhook = z.object({
  webhook_trellis_code: z.string(),
  /** The address up to the secret. */
  url_prefix: z.string(),
  created_at: Instant,
  /** Who made it. */
  who: z.nullable(z.string()),
  /** When the secret was last replaced. */
  rotated_at: z.nullable(Instant),
  /** The latest call that started a flow run. */
  last_call: z.nullable(z.object({ at: Instant, flow_run_trellis_code: z.string() })),
})
export type InboundWebhook = z.infer<typeof InboundWebhook>

/** None until somebody makes it. */
export const FoundInboundWebhook = z.object({ webhook: z.nullable(InboundWebhook) })

/** `url` holds the secret and is given this once. */
export const NewInboundWebhook = z.extend(InboundWebhook, { url: z.string() })
export type NewInboundWebhook = z.infer<typeof NewInboundWebhook>
