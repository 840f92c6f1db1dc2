import { useMemo } from 'react'
import { withCompleteness } from '@trellis/contract/dataflows/trigger-changes'
import { useDraft } from '../draft/use-block-draft.ts'
import { usePreviousBlocks } from '../setup.queries.ts'
import styles from '../setup.module.css'
import { TriggerSection } from './TriggerSection.tsx'

/** The trigger of the block on screen, with the blocks it can wait for. */
export function TriggerPart() {
  const { block, settings, change, isDisabled } = useDraft()
  const previous = usePreviousBlocks(block.task_block_trellis_code)
  const activities = useMemo(() => previous.data?.can_wait_for ?? [], [previous.data])
  const codes = activities.map((one) => one.task_block_trellis_code)
  return (
    <div className={styles.group}>
      <TriggerSection
        form={settings.trigger}
        activities={activities}
        isDisabled={isDisabled || (previous.data === undefined && !previous.isError)}
        onChange={(form, place) => change((old) => ({ ...old, trigger: withCompleteness(form, codes) }), place)}
      />
    </div>
  )
}
