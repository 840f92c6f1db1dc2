import type { Workspace } from '@trellis/contract/workspaces/workspaces.schemas'
import { useEffect, useState, type ReactNode } from 'react'
import { Banner } from '../../../ui/feedback/Banner.tsx'
import { ProgressBar } from '../../../ui/feedback/Meters.tsx'
import { nextPercent, stageOf, TICK_MS } from './creation-progress.ts'
import styles from '../workspaces.module.css'
import { useCreatedWorkspace } from '../workspaces.queries.ts'

export type CreationState = 'under way' | 'done' | 'failed'

/** The bar over the real provisioning. What can be done next depends on how far it is. */
export function CreationProgress({
  created,
  children,
}: {
  created: Workspace
  children: (state: CreationState) => ReactNode
}) {
  const state = useCreatedWorkspace(created)
  const [percent, setPercent] = useState(0)
  const isOver = percent >= 100 || state === 'failed'
  useEffect(() => {
    if (isOver) return undefined
    const timer = setInterval(() => setPercent((old) => nextPercent(old, state)), TICK_MS)
    return () => clearInterval(timer)
  }, [isOver, state])
  return (
    <div className={styles.creation}>
      {state === 'failed' ? (
        <Banner tone="danger" title="Failed to add workspace. Please try again.">
          Its database could not be made. Nothing was left behind.
        </Banner>
      ) : (
        <div aria-live="polite">
          <ProgressBar label={stageOf(percent)} share={percent / 100} />
        </div>
      )}
      {children(state === 'failed' ? 'failed' : percent >= 100 ? 'done' : 'under way')}
    </div>
  )
}
