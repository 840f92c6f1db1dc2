import { useState } from 'react'

export type CanvasView = 'canvas' | 'list'
const KEY = 'trellis.canvas.view'

function start(): CanvasView {
  const stored = localStorage.getItem(KEY)
  if (stored === 'canvas' || stored === 'list') return stored
  return window.matchMedia('(max-width: 599px)').matches ? 'list' : 'canvas'
}

export function useCanvasView(): [CanvasView, (view: CanvasView) => void] {
  const [view, setView] = useState(start)
  return [
    view,
    (next) => {
      localStorage.setItem(KEY, next)
      setView(next)
    },
  ]
}
