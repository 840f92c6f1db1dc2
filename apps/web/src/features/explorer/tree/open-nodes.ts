import { useState } from 'react'
import * as z from 'zod/mini'

const KEPT = 200
const Keys = z.array(z.string())

function read(name: string): string[] | null {
  try {
    const text = localStorage.getItem(name)
    return text === null ? null : z.parse(Keys, JSON.parse(text))
  } catch {
    return null
  }
}

export function useOpenNodes(workspace: string) {
  const name = `trellis.explorer.open ${workspace}`
  const [open, setOpen] = useState<readonly string[] | null>(() => read(name))
  const change = (next: readonly string[]) => {
    const kept = next.slice(-KEPT)
    localStorage.setItem(name, JSON.stringify(kept))
    setOpen(kept)
  }
  const keys = open ?? []
  return {
    /** False until the person expands or collapses something. */
    isKnown: open !== null,
    has: (key: string) => keys.includes(key),
    toggle: (key: string) => change(keys.includes(key) ? keys.filter((item) => item !== key) : [...keys, key]),
    unfold: (...more: string[]) => {
      const missing = more.filter((key) => !keys.includes(key))
      if (missing.length > 0) change([...keys, ...missing])
    },
  }
}
