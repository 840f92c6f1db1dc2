import type { Dialect } from '@trellis/contract/uploads/uploads.schemas'

/** What people chose for a file in this tab. Everything else is found out anew at each reading. */
const chosen = new Map<string, Partial<Dialect>>()

export function addReadingChoice(fileId: string, patch: Partial<Dialect>): Partial<Dialect> {
  const next = { ...chosen.get(fileId), ...patch }
  chosen.set(fileId, next)
  return next
}
