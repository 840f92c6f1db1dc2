import { lazy, Suspense } from 'react'
import { CanvasGhost } from './EditorGhost.tsx'

const CanvasEditor = lazy(() => import('./CanvasEditor.tsx'))

export function Component() {
  return (
    <Suspense fallback={<CanvasGhost />}>
      <CanvasEditor />
    </Suspense>
  )
}
