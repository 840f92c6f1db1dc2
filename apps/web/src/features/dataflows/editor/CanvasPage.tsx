import { lazy, Suspense } from 'react'
import { CanvasGhost } from './EditorGhost.tsx'

const CanvasEditor = lazy(() => import('./CanvasEditor.tsx'))

/** The blocks of a dataflow. What draws them is brought only here. */
export function Component() {
  return (
    <Suspense fallback={<CanvasGhost />}>
      <CanvasEditor />
    </Suspense>
  )
}
