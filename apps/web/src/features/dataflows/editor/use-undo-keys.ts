import { useEffect, useRef } from 'react'
import { isTypingIn } from '../../../app/shell/shortcuts.ts'
import type { CanvasWork } from './work/use-canvas-work.ts'

/** On the document: deleting the focused block loses focus. */
export function useUndoKeys(work: Pick<CanvasWork, 'undo' | 'redo'>, isOn: boolean): void {
  const latest = useRef(work)
  latest.current = work
  useEffect(() => {
    if (!isOn) return undefined
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || !(event.ctrlKey || event.metaKey) || isTypingIn(event.target)) return
      if (document.querySelector('dialog[open]') !== null) return
      const key = event.key.toLowerCase()
      if (key !== 'z' && key !== 'y') return
      event.preventDefault()
      void (key === 'y' || event.shiftKey ? latest.current.redo() : latest.current.undo())
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [isOn])
}
