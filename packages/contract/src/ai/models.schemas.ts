import * as z from 'zod/mini'
import { Instant } from '../core/shapes.ts'

const Protocol = z.enum(['anthropic', 'openai'])

/** The model that answers questions of this account. */
export const AiModel = z.object({
  /** `account`: set here. `installation`: set by who runs this Trellis. `none`: questions are read by rules. */
  source: z.enum(['account', 'installation', 'none']),
  protocol: z.nullable(Protocol),
  base_url: z.nullable(z.string()),
  model: z.nullable(z.string()),
  /** A key is kept; it is never shown. */
  has_key: z.boolean(),
  /** What the endpoint could do when it was saved; nothing for a model of the installation. */
  can_stream: z.nullable(z.boolean()),
  can_use_tools: z.nullable(z.boolean()),
  context_tokens: z.nullable(z.int()),
  checked_at: z.nullable(Instant),
  credits_per_answer: z.int(),
})
export type AiModel = z.infer<typeof AiModel>

export const UpdateAiModelRequest = z.object({
  /** `openai` is the chat completions protocol of OpenAI, Ollama, vLLM, llama.cpp and many others. */
  protocol: Protocol,
  /** Up to the version: `https://api.anthropic.com/v1`. */
  base_url: z
    .string()
    .check(z.maxLength(300), z.regex(/^https?:\/\/[^\s/?#@]+(\/[^\s?#]*)?$/, 'Enter an address like https://host/v1')),
  model: z.string().check(z.regex(/^[\w.:@/-]{1,200}$/, 'Enter the name of a model')),
  /** Left out, the key that is kept stays; it must be entered again for another address. */
  api_key: z.optional(z.string().check(z.minLength(1), z.maxLength(500), z.regex(/^[\x21-\x7e]+$/))),
})
export type UpdateAiModelRequest = z.infer<typeof UpdateAiModelRequest>
