import { useState } from 'react'

export type CanvasView = 'canvas' | 'list'
const STORAGE_KEY = 'trellis.canvas.view'

function getInitialView(): CanvasView {
  const stored = localStorage.getItem(STORAGE_KEY)
  if (stored === 'canvas' || stored === 'list') return stored
  return window.matchMedia('(max-width: 599px)').matches ? 'list' : 'canvas'
}

export function useCanvasView(): [CanvasView, (view: CanvasView) => void] {
  const [view, setView] = useState(getInitialView)
  return [
    view,
    (next) => {
      localStorage.setItem(STORAGE_KEY, next)
      setView(next)
    },
  ]
}
