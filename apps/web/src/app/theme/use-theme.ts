import { hasChosenTheme, type Profile, type ThemeMode } from '@trellis/contract/profile/profile.schemas'
import { useLayoutEffect, useState, useSyncExternalStore } from 'react'
import { useLocation } from 'react-router'
import { readProfile } from '../session/stored-data.ts'
import { getOtherTheme, resolveTheme } from './theme-mode.ts'

const VISITOR_KEY = 'trellis.theme'

function applyTheme(mode: ThemeMode): void {
  document.documentElement.dataset['theme'] = mode
}

export function useAppliedTheme(preference: ThemeMode): ThemeMode {
  const { pathname } = useLocation()
  const mode = resolveTheme(preference, pathname)
  useLayoutEffect(() => applyTheme(mode), [mode])
  return mode
}

const DARK = '(prefers-color-scheme: dark)'
const getSystemTheme = (): ThemeMode => (matchMedia(DARK).matches ? 'dark' : 'light')

function watchSystemTheme(listener: () => void): () => void {
  const media = matchMedia(DARK)
  media.addEventListener('change', listener)
  return () => media.removeEventListener('change', listener)
}

export function usePreferredTheme(profile: Pick<Profile, 'preferences' | 'flags'> | null): ThemeMode {
  const system = useSyncExternalStore(watchSystemTheme, getSystemTheme)
  return profile && hasChosenTheme(profile) ? profile.preferences.themeMode : system
}

function findVisitorTheme(): ThemeMode | null {
  const kept = localStorage.getItem(VISITOR_KEY)
  return kept === 'light' || kept === 'dark' ? kept : null
}

export function useVisitorTheme(): { mode: ThemeMode; toggle: () => void } {
  const [chosen, setChosen] = useState(findVisitorTheme)
  const [profile] = useState(readProfile)
  const preferred = usePreferredTheme(profile.ok ? profile.value : null)
  const mode = useAppliedTheme(chosen ?? preferred)
  const toggle = () => {
    const next = getOtherTheme(mode)
    localStorage.setItem(VISITOR_KEY, next)
    setChosen(next)
  }
  return { mode, toggle }
}
