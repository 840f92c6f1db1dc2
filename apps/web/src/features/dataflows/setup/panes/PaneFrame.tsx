import type { BlockSample } from '@trellis/contract/dataflows/task-blocks.schemas'
import { RotateCw } from 'lucide-react'
import { lazy, Suspense, type ReactNode } from 'react'
import { Button } from '../../../../ui/actions/Button.tsx'
import { Banner } from '../../../../ui/feedback/Banner.tsx'
import { Skeleton } from '../../../../ui/feedback/Skeleton.tsx'
import styles from './panes.module.css'

const SampleGrid = lazy(() => import('../../../../ui/grid/SampleGrid.tsx'))

interface FrameProps {
  title: string
  about: string
  actions?: ReactNode
  children: ReactNode
}

export function PaneFrame({ title, about, actions, children }: FrameProps) {
  return (
    <section className={styles.pane} aria-label={title}>
      <header className={styles.paneHead}>
        <div>
          <h2>{title}</h2>
          <p>{about}</p>
        </div>
        {actions}
      </header>
      <div className={styles.paneBody}>{children}</div>
    </section>
  )
}

interface AgainProps {
  isOld: boolean
  isBusy: boolean
  isDisabled?: boolean
  onPress: () => void
}

export function ReadAgain({ isOld, isBusy, isDisabled = false, onPress }: AgainProps) {
  return (
    <Button
      size="sm"
      variant={isOld ? 'secondary' : 'ghost'}
      icon={<RotateCw aria-hidden />}
      isBusy={isBusy}
      disabled={isDisabled}
      onClick={onPress}
    >
      Read again
    </Button>
  )
}

export function NoRows({ isDisabled, lacks }: { isDisabled: boolean; lacks: string | null }) {
  return <p className={styles.soft}>{isDisabled ? 'Rows are shown to those who may change the dataflow.' : lacks}</p>
}

interface RowsProps {
  sample: BlockSample | undefined
  error: Error | null
  isOld: boolean
  title: string
}

export function SampleRows({ sample, error, isOld, title }: RowsProps) {
  if (error) {
    return (
      <Banner tone="danger" title="There are no rows to show">
        {error.message}
      </Banner>
    )
  }
  if (!sample) return <Skeleton height={280} />
  return (
    <>
      {isOld && <p className={styles.soft}>The settings have changed since these rows were read.</p>}
      <Suspense fallback={<Skeleton height={280} />}>
        <SampleGrid
          label={`Rows: ${title.toLowerCase()}`}
          columns={sample.columns}
          rows={sample.rows}
          isCut={sample.is_cut}
          isOld={isOld}
        />
      </Suspense>
      {sample.notes.length > 0 && (
        <ul className={styles.notes} aria-label="Notes">
          {sample.notes.map((note, index) => (
            <li key={index}>{note}</li>
          ))}
        </ul>
      )}
    </>
  )
}
