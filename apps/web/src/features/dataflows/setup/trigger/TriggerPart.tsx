import { CircleHelp } from 'lucide-react'
import { lazy, Suspense, useMemo, useState } from 'react'
import { withCompleteness } from '@trellis/contract/dataflows/trigger-changes'
import { Button } from '../../../../ui/actions/Button.tsx'
import { useCanvas } from '../../canvas.queries.ts'
import { useDataflowsPlace } from '../../dataflows.queries.ts'
import { useDraft } from '../draft/use-block-draft.ts'
import { usePreviousBlocks } from '../setup.queries.ts'
import styles from '../setup.module.css'
import { TriggerSection } from './TriggerSection.tsx'

const TriggerPanel = lazy(() => import('../../../../running/triggers/TriggerPanel.tsx'))

export function TriggerPart() {
  const { block, settings, change, isDisabled } = useDraft()
  const previous = usePreviousBlocks(block.task_block_trellis_code)
  const activities = useMemo(() => previous.data?.can_wait_for ?? [], [previous.data])
  const codes = activities.map((activity) => activity.task_block_trellis_code)
  return (
    <div className={styles.group}>
      <TriggerSection
        form={settings.trigger}
        activities={activities}
        isDisabled={isDisabled || (previous.data === undefined && !previous.isError)}
        onChange={(form, place) => change((old) => ({ ...old, trigger: withCompleteness(form, codes) }), place)}
      />
      {block.published_version !== null && <Explained />}
    </div>
  )
}

/** Of the published version, not the draft. */
function Explained() {
  const { address } = useDataflowsPlace()
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
