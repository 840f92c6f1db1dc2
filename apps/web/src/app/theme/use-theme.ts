import type { ThemeMode } from '@trellis/contract/profile/profile.schemas'
import { useLayoutEffect, useState } from 'react'
import { useLocation } from 'react-router'
import { readProfile } from '../session/stored-data.ts'
import { otherTheme, themeFor } from './theme-mode.ts'

const VISITOR_KEY = 'trellis.theme'

function applyTheme(mode: ThemeMode): void {
  document.documentElement.dataset['theme'] = mode
}

/** Draws the page in the theme that belongs to this address and preference. */
export function useAppliedTheme(preference: ThemeMode): ThemeMode {
  const { pathname } = useLocation()
  const mode = themeFor(preference, pathname)
  useLayoutEffect(() => applyTheme(mode), [mode])
  return mode
}

function systemTheme(): ThemeMode {
  return matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'
}

function visitorTheme(): ThemeMode {
  const kept = localStorage.getItem(VISITOR_KEY)
  if (kept === 'light' || kept === 'dark') return kept
  const profile = readProfile()
  return profile.ok ? profile.value.preferences.themeMode : systemTheme()
}

/** For pages without sign-in: the choice is kept in this browser only. */
export function useVisitorTheme(): { mode: ThemeMode; toggle: () => void } {
  const [preference, setPreference] = useState(visitorTheme)
  const mode = useAppliedTheme(preference)
  const toggle = () => {
    const next = otherTheme(mode)
    localStorage.setItem(VISITOR_KEY, next)
    setPreference(next)
  }
  return { mode, toggle }
}
