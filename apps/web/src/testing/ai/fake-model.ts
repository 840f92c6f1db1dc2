import type { AiModel } from '@trellis/contract/ai/models.schemas'

export const fakeModel = (change: Partial<AiModel> = {}): AiModel => ({
  source: 'none',
  protocol: null,
  base_url: null,
  model: null,
  has_key: false,
  can_stream: null,
  can_use_tools: null,
  context_tokens: null,
  checked_at: null,
  credits_per_answer: 0,
  ...change,
})
