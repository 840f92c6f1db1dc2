import { useEffect } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { findBackTarget, withEntry, type Trail } from './back-target.ts'

const TRAIL_KEY = 'trellis.trail'

function readTrail(): Trail {
  try {
    return (JSON.parse(sessionStorage.getItem(TRAIL_KEY) ?? '{}') as Trail | null) ?? {}
  } catch {
    return {}
  }
}

/** The router numbers history entries and starts at 0 after a full load. */
function historyIndex(): number {
  return (window.history.state as { idx?: number } | null)?.idx ?? 0
}

export function useTrail(): void {
  const { pathname, key } = useLocation()
  useEffect(() => {
    sessionStorage.setItem(TRAIL_KEY, JSON.stringify(withEntry(readTrail(), historyIndex(), pathname)))
  }, [pathname, key])
}

export function useBack(fallback: string): () => void {
  const navigate = useNavigate()
  return () => {
    const target = findBackTarget(readTrail(), historyIndex(), fallback)
    void (target.kind === 'step' ? navigate(target.delta) : navigate(target.path))
  }
}
