import { useState, type KeyboardEvent, type PointerEvent } from 'react'

const KEY = 'trellis.explorer.width'
export const NARROWEST = 200
export const WIDEST = 520
const START = 268

const clampWidth = (width: number) => Math.round(Math.min(WIDEST, Math.max(NARROWEST, width)))

function read(): number {
  const stored = Number(localStorage.getItem(KEY) ?? Number.NaN)
  return Number.isFinite(stored) && stored > 0 ? clampWidth(stored) : START
}

export function usePanelWidth() {
  const [width, setWidth] = useState(read)
  const change = (next: number) => {
    const allowed = clampWidth(next)
    localStorage.setItem(KEY, String(allowed))
    setWidth(allowed)
  }
  const onPointerDown = (event: PointerEvent<HTMLElement>) => {
    const edge = event.currentTarget
    const from = event.clientX - width
    edge.setPointerCapture(event.pointerId)
    const move = (moved: globalThis.PointerEvent) => change(moved.clientX - from)
    edge.addEventListener('pointermove', move)
    edge.addEventListener('lostpointercapture', () => edge.removeEventListener('pointermove', move), { once: true })
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowLeft: -16, ArrowRight: 16, Home: NARROWEST - width, End: WIDEST - width }[event.key]
    if (step === undefined) return
    event.preventDefault()
    change(width + step)
  }
  return { width, edge: { onPointerDown, onKeyDown, onDoubleClick: () => change(START) } }
}
