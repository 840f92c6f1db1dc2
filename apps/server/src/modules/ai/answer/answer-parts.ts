import { createHash } from 'node:crypto'
import type { MessageStatus } from '@trellis/contract/ai/ai.schemas'
import type { MessagePart, StepTool } from '@trellis/contract/ai/message-parts.schemas'

export const computeContentHash = (status: MessageStatus, parts: readonly MessagePart[]): string =>
  createHash('sha256')
    .update(JSON.stringify([status, parts]))
    .digest('hex')

type Distribute<T> = T extends unknown ? Omit<T, 'id'> : never
type NewPart = Distribute<MessagePart>

/** Ids are sequential, so that a retry reuses them. */
export interface AnswerParts {
  list(): readonly MessagePart[]
  add(part: NewPart): string
  set(id: string, part: NewPart): void
}

export function createParts(onChange: () => void): AnswerParts {
  const parts: MessagePart[] = []
  return {
    list: () => parts,
    add(part) {
      const id = `p${parts.length + 1}`
      parts.push({ ...part, id } as MessagePart)
      onChange()
      return id
    },
    set(id, part) {
      const at = parts.findIndex((candidate) => candidate.id === id)
      if (at >= 0) parts[at] = { ...part, id } as MessagePart
      onChange()
    },
  }
}

export function startStep(parts: AnswerParts, tool: StepTool, title: string) {
  const started = performance.now()
  const base = { kind: 'step', tool, title } as const
  const id = parts.add({ ...base, status: 'running', detail: null, duration_ms: null })
  return {
    finish(detail: string | null, isFailed = false) {
      const status = isFailed ? 'failed' : 'completed'
      parts.set(id, { ...base, status, detail, duration_ms: Math.round(performance.now() - started) })
    },
  }
}
