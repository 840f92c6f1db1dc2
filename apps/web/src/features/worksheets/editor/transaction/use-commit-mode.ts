import { useState } from 'react'

export type CommitMode = 'auto' | 'manual'

const toStorageKey = (fileId: string) => `trellis.worksheet.commit ${fileId}`

/** A transaction left open in another browser switches to manual. */
export function useCommitMode(fileId: string, isOpen: boolean): [CommitMode, (mode: CommitMode) => void] {
  const [mode, setMode] = useState<CommitMode>(() =>
    localStorage.getItem(toStorageKey(fileId)) === 'manual' ? 'manual' : 'auto',
  )
  const choose = (next: CommitMode) => {
    if (next === 'manual') localStorage.setItem(toStorageKey(fileId), next)
    else localStorage.removeItem(toStorageKey(fileId))
    setMode(next)
  }
  return [isOpen ? 'manual' : mode, choose]
}
