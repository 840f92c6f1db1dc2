import { useLayoutEffect, useRef, type RefObject } from 'react'
import { place, type Align, type Box, type Side } from './place.ts'

interface FloatingOptions {
  isOpen: boolean
  anchor: () => { getBoundingClientRect: () => Box } | null | undefined
  panel: RefObject<HTMLElement | null>
  side?: Side
  align?: Align
  gap?: number
}

/** Lifts the panel into the browser's top layer, so no dialog or scroll area can hide it, and keeps it beside its anchor. */
export function useFloating({
  isOpen,
  anchor,
  panel,
  side = 'bottom',
  align = 'start',
  gap = 4,
}: FloatingOptions): void {
  const anchorNow = useRef(anchor)
  anchorNow.current = anchor
  useLayoutEffect(() => {
    const element = panel.current
    if (!isOpen || !element) return undefined
    element.showPopover?.()
    const move = () => {
      const at = anchorNow.current()?.getBoundingClientRect()
      if (!at) return
      const viewport = { width: document.documentElement.clientWidth, height: window.innerHeight }
      const { left, top } = place({ anchor: at, size: element.getBoundingClientRect(), viewport, side, align, gap })
      element.style.left = `${left}px`
      element.style.top = `${top}px`
    }
    move()
    window.addEventListener('resize', move)
    window.addEventListener('scroll', move, true)
    return () => {
      window.removeEventListener('resize', move)
      window.removeEventListener('scroll', move, true)
    }
  }, [isOpen, panel, side, align, gap])
}
