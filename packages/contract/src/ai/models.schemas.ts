import * as z from 'zod/mini'
import { Instant } from '../core/shapes.ts'

const Protocol = z.enum(['anthropic', 'openai'])

export const AiModel = z.object({
  /** `installation`: configured by the operator. `none`: the rule engine answers. */
  source: z.enum(['account', 'installation', 'none']),
  protocol: z.nullable(Protocol),
  base_url: z.nullable(z.string()),
  model: z.nullable(z.string()),
  has_key: z.boolean(),
  can_stream: z.nullable(z.boolean()),
  can_use_tools: z.nullable(z.boolean()),
  context_tokens: z.nullable(z.int()),
  checked_at: z.nullable(Instant),
  credits_per_answer: z.int(),
})
export type AiModel = z.infer<typeof AiModel>

export const UpdateAiModelRequest = z.object({
  /** `openai`: the chat completions protocol, also spoken by Ollama, vLLM, llama.cpp and others. */
  protocol: Protocol,
  /** Including the version: `https://api.anthropic.com/v1`. */
  base_url: z
    .string()
    .check(z.maxLength(300), z.regex(/^https?:\/\/[^\s/?#@]+(\/[^\s?#]*)?$/, 'Enter an address like https://host/v1')),
  model: z.string().check(z.regex(/^[\w.:@/-]{1,200}$/, 'Enter the name of a model')),
  /** Omitted: the stored key stays. Required again when `base_url` changes. */
  api_key: z.optional(z.string().check(z.minLength(1), z.maxLength(500), z.regex(/^[\x21-\x7e]+$/))),
})
export type UpdateAiModelRequest = z.infer<typeof UpdateAiModelRequest>
