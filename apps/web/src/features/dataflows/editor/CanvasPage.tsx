import { lazy, Suspense } from 'react'
import { Loading, Skeleton } from '../../../ui/feedback/Skeleton.tsx'
import styles from './editor.module.css'

const CanvasEditor = lazy(() => import('./CanvasEditor.tsx'))

/** The blocks of a dataflow. What draws them is brought only here. */
export function Component() {
  return (
    <Suspense
      fallback={
        <Loading label="Loading. The canvas" className={styles.ghost}>
          <Skeleton height={36} width={320} />
        </Loading>
      }
    >
      <CanvasEditor />
    </Suspense>
  )
}
