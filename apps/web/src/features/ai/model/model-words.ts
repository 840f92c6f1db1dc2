import type { AiModel } from '@trellis/contract/ai/models.schemas'

type Protocol = NonNullable<AiModel['protocol']>

export const PROTOCOL_LABELS: Record<Protocol, string> = { anthropic: 'Anthropic', openai: 'OpenAI-compatible' }

export const BASE_URLS: Record<Protocol, string> = {
  anthropic: 'https://api.anthropic.com/v1',
  openai: 'https://api.openai.com/v1',
}

export const SOURCE_NOTES: Record<AiModel['source'], string> = {
  account: 'Your own model, set for this account.',
  installation: 'The model of this installation, set by whoever runs this Trellis.',
  none: 'No model is connected. Questions are read by rules; connect a model for free-form questions.',
}
