import { Loading, Skeleton } from '../../../ui/feedback/Skeleton.tsx'
import styles from './setup.module.css'

export function SetupGhost() {
  return (
    <Loading label="Loading. The block" className={styles.screen}>
      <div className={styles.head}>
        <Skeleton width={200} height={22} />
        <Skeleton width={280} height={32} />
      </div>
      <div className={styles.paneTabs}>
        <Skeleton height={30} />
      </div>
      <div className={styles.panes} data-shown="settings">
        <Pane heights={[22, 160]} />
        <Pane heights={[120, 220]} />
        <Pane heights={[22, 160]} />
      </div>
    </Loading>
  )
}

function Pane({ heights }: { heights: readonly number[] }) {
  return (
    <div className={styles.column}>
      <div className={styles.settings}>
        {heights.map((height) => (
          <Skeleton key={height} height={height} />
        ))}
      </div>
    </div>
  )
}
