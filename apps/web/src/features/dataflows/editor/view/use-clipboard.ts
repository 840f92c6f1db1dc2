import { useEffect, useRef, type RefObject } from 'react'
import { isTypingIn } from '../../../../app/shell/shortcuts.ts'
import { showToast } from '../../../../ui/feedback/toasts.ts'
import { parseClip } from '../model/clip.ts'
import type { Point } from '../model/geometry.ts'
import type { CanvasActions } from '../work/use-canvas-actions.ts'

interface ClipboardOptions {
  canvasRef: RefObject<HTMLElement | null>
  actions: CanvasActions
  canWrite: boolean
  codes: () => string[]
  /** Canvas coordinates, while the pointer is over it. */
  pointer: () => Point | undefined
  onPasted: (codes: readonly string[]) => void
}

/** Fallback without clipboard access; works across canvases of this window. */
let lastCopy = ''

export function useClipboard(ports: ClipboardOptions) {
  const latest = useRef(ports)
  latest.current = ports
  useEffect(() => {
    // With nothing focused, browsers send clipboard events to any text, so focus decides.
    const isHere = () => {
      const { canvasRef } = latest.current
      const { activeElement: active } = document
      if (!canvasRef.current || isTypingIn(active) || document.querySelector('dialog[open]') !== null) return false
      return active === null || canvasRef.current.contains(active) || active.contains(canvasRef.current)
    }
    const onCopy = (event: ClipboardEvent) => {
      const { actions, codes } = latest.current
      const selected = codes()
      const isText = document.getSelection()?.isCollapsed === false
      if (!isHere() || selected.length === 0 || isText) return
      event.preventDefault()
      void actions.copyText(selected).then(async (text) => {
        lastCopy = text
        await navigator.clipboard?.writeText(text).catch(() => undefined)
        showToast({ text: selected.length === 1 ? 'Copied 1 block.' : `Copied ${selected.length} blocks.` })
      })
    }
    const onPaste = (event: ClipboardEvent) => {
      const { actions, canWrite, onPasted, pointer } = latest.current
      if (!isHere() || !canWrite) return
      const clip = parseClip(event.clipboardData?.getData('text/plain') ?? '') ?? parseClip(lastCopy)
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
