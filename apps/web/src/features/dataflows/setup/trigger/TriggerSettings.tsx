import { CircleHelp } from 'lucide-react'
import { lazy, Suspense, useMemo, useState } from 'react'
import { withCompletenessFlag } from '@trellis/contract/dataflows/trigger-changes'
import { Button } from '../../../../ui/actions/Button.tsx'
import { useCanvas } from '../../canvas.queries.ts'
import { useDataflowsScope } from '../../dataflows.queries.ts'
import { useDraft } from '../draft/use-block-draft.ts'
import { usePreviousBlocks } from '../setup.queries.ts'
import styles from '../setup.module.css'
import { TriggerSection } from './TriggerSection.tsx'

const TriggerPanel = lazy(() => import('../../../../running/triggers/TriggerPanel.tsx'))

export function TriggerSettings() {
  const { block, settings, change, isDisabled } = useDraft()
  const previousBlocks = usePreviousBlocks(block.task_block_trellis_code)
  const activities = useMemo(() => previousBlocks.data?.can_wait_for ?? [], [previousBlocks.data])
  const codes = activities.map((activity) => activity.task_block_trellis_code)
  return (
    <div className={styles.group}>
      <TriggerSection
        form={settings.trigger}
        activities={activities}
        isDisabled={isDisabled || (previousBlocks.data === undefined && !previousBlocks.isError)}
        onChange={(form, fieldPath) =>
          change((old) => ({ ...old, trigger: withCompletenessFlag(form, codes) }), fieldPath)
        }
      />
      {block.published_version !== null && <TriggerExplanation />}
    </div>
  )
}

/** Of the published version, not the draft. */
function TriggerExplanation() {
  const { address } = useDataflowsScope()
  const { block } = useDraft()
  const canvas = useCanvas(address, block.dataflow_trellis_code)
  const [isOpen, setOpen] = useState(false)
  return (
    <div>
      <Button size="sm" variant="ghost" icon={<CircleHelp aria-hidden />} onClick={() => setOpen(true)}>
        When does it run?
      </Button>
      {isOpen && (
        <Suspense fallback={null}>
          <TriggerPanel
            address={address}
            block={block.task_block_trellis_code}
            blocks={canvas.data?.blocks ?? []}
            onClose={() => setOpen(false)}
          />
        </Suspense>
      )}
    </div>
  )
}
