import { Loading, Skeleton } from '../../../ui/feedback/Skeleton.tsx'
import styles from './editor.module.css'

export function CanvasGhost() {
  return (
    <Loading label="Loading. The canvas" className={styles.editor}>
      <Bar />
      <div className={styles.surface} />
    </Loading>
  )
}

export function FrameGhost() {
  return (
    <Loading label="Loading. The dataflow" className={styles.frame}>
      <div className={styles.head}>
        <Skeleton width={180} height={22} />
        <Skeleton width={112} height={20} />
        <div className={styles.headEnd}>
          <Skeleton width={200} height={32} />
        </div>
      </div>
      <div className={styles.body}>
        <Bar />
      </div>
    </Loading>
  )
}

const Bar = () => (
  <div className={styles.toolbar}>
    <Skeleton width={320} height={24} />
  </div>
)
