import type { Dialect } from '@trellis/contract/uploads/uploads.schemas'

/** The user's overrides; everything else is detected again on each reading. */
const selected = new Map<string, Partial<Dialect>>()

export function addReadingChoice(fileId: string, patch: Partial<Dialect>): Partial<Dialect> {
  const next = { ...selected.get(fileId), ...patch }
  selected.set(fileId, next)
  return next
}
