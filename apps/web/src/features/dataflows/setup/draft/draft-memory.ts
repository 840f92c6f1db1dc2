import type { Parts } from './block-kinds.ts'

export interface KeptDraft {
  version: number
  /** The server's settings the changes are based on. */
  base: Parts
  settings: Parts
}

const toStorageKey = (block: string) => `trellis.draft.${block}`

/** Unsaved changes survive a reload. A full or blocked localStorage loses only that. */
export const draftMemory = {
  keep(block: string, draft: KeptDraft): void {
    try {
      sessionStorage.setItem(toStorageKey(block), JSON.stringify(draft))
    } catch {
      return
    }
  },
  find(block: string): KeptDraft | null {
    try {
      const keptDraft = JSON.parse(sessionStorage.getItem(toStorageKey(block)) ?? 'null') as KeptDraft | null
      return keptDraft && typeof keptDraft.version === 'number' && keptDraft.base && keptDraft.settings
        ? keptDraft
        : null
    } catch {
      return null
    }
  },
  forget(block: string): void {
    try {
      sessionStorage.removeItem(toStorageKey(block))
    } catch {
      return
    }
  },
}

export type DraftMemory = typeof draftMemory
