import { useEffect, useRef, type RefObject } from 'react'
import { isTypingIn } from '../../../../app/shell/shortcuts.ts'
import { showToast } from '../../../../ui/feedback/toasts.ts'
import { clipOf } from '../model/clip.ts'
import type { Point } from '../model/geometry.ts'
import type { CanvasActions } from '../work/use-canvas-actions.ts'

interface Ports {
  box: RefObject<HTMLElement | null>
  actions: CanvasActions
  canWrite: boolean
  codes: () => string[]
  /** The point of the canvas under the pointer, when it is there. */
  pointer: () => Point | undefined
  onPasted: (codes: readonly string[]) => void
}

/** Copy and paste of blocks as text, also between dataflows and windows. */
export function useClipboard(ports: Ports) {
  const latest = useRef(ports)
  latest.current = ports
  /** Where the browser gives no access to the clipboard, copies stay in this window. */
  const own = useRef('')
  useEffect(() => {
    const isHere = (event: ClipboardEvent) =>
      latest.current.box.current?.contains(event.target as Node) === true && !isTypingIn(event.target)
    const onCopy = (event: ClipboardEvent) => {
      const { actions, codes } = latest.current
      const chosen = codes()
      if (!isHere(event) || chosen.length === 0) return
      event.preventDefault()
      void actions.copyText(chosen).then(async (text) => {
        own.current = text
        await navigator.clipboard?.writeText(text).catch(() => undefined)
        showToast({ text: chosen.length === 1 ? 'Copied 1 block.' : `Copied ${chosen.length} blocks.` })
      })
    }
    const onPaste = (event: ClipboardEvent) => {
      const { actions, canWrite, onPasted, pointer } = latest.current
      if (!isHere(event) || !canWrite) return
      const clip = clipOf(event.clipboardData?.getData('text/plain') ?? '') ?? clipOf(own.current)
      if (!clip) return
      event.preventDefault()
      void actions.paste(clip, pointer()).then(onPasted)
    }
    document.addEventListener('copy', onCopy)
    document.addEventListener('paste', onPaste)
    return () => {
      document.removeEventListener('copy', onCopy)
      document.removeEventListener('paste', onPaste)
    }
  }, [])
}
