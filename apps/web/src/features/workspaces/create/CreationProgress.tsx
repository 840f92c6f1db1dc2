import type { Workspace } from '@trellis/contract/workspaces/workspaces.schemas'
import { useEffect, useState } from 'react'
import { Banner } from '../../../ui/feedback/Banner.tsx'
import { ProgressBar } from '../../../ui/feedback/Meters.tsx'
import { getNextPercent, getStage, TICK_MS } from './creation-progress.ts'
import styles from '../workspaces.module.css'
import { useCreatedWorkspace } from '../workspaces.queries.ts'

interface Creation {
  readonly percent: number
  readonly state: 'under way' | 'done' | 'failed'
}

export function useCreation(created: Workspace): Creation {
  const state = useCreatedWorkspace(created)
  const [percent, setPercent] = useState(0)
  const isOver = percent >= 100 || state === 'failed'
  useEffect(() => {
    if (isOver) return undefined
    const timer = setInterval(() => setPercent((old) => getNextPercent(old, state)), TICK_MS)
    return () => clearInterval(timer)
  }, [isOver, state])
  return { percent, state: state === 'failed' ? 'failed' : percent >= 100 ? 'done' : 'under way' }
}

export function CreationProgress({ percent, state }: Creation) {
  return (
    <div className={styles.creation}>
      {state === 'failed' ? (
        <Banner tone="danger" title="Failed to add workspace. Please try again.">
          Its database could not be created. Nothing was left behind.
        </Banner>
      ) : (
        <div aria-live="polite">
          <ProgressBar label={getStage(percent)} share={percent / 100} />
        </div>
      )}
    </div>
  )
}
