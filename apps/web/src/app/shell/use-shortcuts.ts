import { useEffect, useRef } from 'react'
import { useNavigate } from 'react-router'
import type { RouteLocation } from '../router-paths.ts'
import { helpAreas, homeAreas, workspaceAreas } from './areas.ts'
import { isTypingIn, findShortcut } from './shortcuts.ts'
import { pathInWorkspace } from './sidebar-lines.ts'

const GO_WITHIN_MS = 1200

interface Handlers {
  place: RouteLocation
  onPalette: () => void
  onSidebar: () => void
  onHelp: () => void
}

function findShortcutPath(letter: string, location: RouteLocation): string | undefined {
  const everywhere = [...homeAreas, ...helpAreas].find((area) => area.letter === letter)?.path
  const inside = workspaceAreas.find((area) => area.letter === letter)?.path
  return (
    everywhere ??
    (inside !== undefined && location.workspace !== undefined ? pathInWorkspace(location, inside) : undefined)
  )
}

export function useShortcuts(handlers: Handlers): void {
  const latest = useRef(handlers)
  latest.current = handlers
  const navigate = useNavigate()
  useEffect(() => {
    let goingUntil = 0
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.isComposing) return
      const stroke = {
        key: event.key,
        ctrlKey: event.ctrlKey,
        metaKey: event.metaKey,
        altKey: event.altKey,
        shiftKey: event.shiftKey,
        isTyping: isTypingIn(event.target),
      }
      const shortcut = findShortcut(stroke, Date.now() < goingUntil)
      goingUntil = shortcut?.kind === 'begin-go' ? Date.now() + GO_WITHIN_MS : 0
      if (!shortcut || shortcut.kind === 'begin-go') return
      const isModalOpen = document.querySelector('dialog[open]') !== null
      if (isModalOpen && shortcut.kind !== 'palette') return
      event.preventDefault()
      const { place, onPalette, onSidebar, onHelp } = latest.current
      if (shortcut.kind === 'palette') onPalette()
      else if (shortcut.kind === 'sidebar') onSidebar()
      else if (shortcut.kind === 'help') onHelp()
      else if (shortcut.kind === 'go') {
        const path = findShortcutPath(shortcut.letter, place)
        if (path !== undefined) void navigate(path)
      }
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [navigate])
}
