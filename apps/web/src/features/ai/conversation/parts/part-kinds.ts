import type { MessagePart } from '@trellis/contract/ai/message-parts.schemas'

export type PartOf<Kind extends MessagePart['kind']> = Extract<MessagePart, { kind: Kind }>
