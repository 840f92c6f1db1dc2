import type { MisfirePolicy, OverlapPolicy } from '@trellis/contract/dataflows/dataflow-words'
import { MISFIRE_POLICIES, OVERLAP_POLICIES } from '@trellis/contract/dataflows/dataflow-words'
import { UpdateDataflow, type Dataflow } from '@trellis/contract/dataflows/dataflows.schemas'
import { useState } from 'react'
import * as z from 'zod/mini'
import { Loaded } from '../../../../app/loading/Loaded.tsx'
import { Button } from '../../../../ui/actions/Button.tsx'
import { Banner } from '../../../../ui/feedback/Banner.tsx'
import { RadioGroup, Switch } from '../../../../ui/forms/Choices.tsx'
import { isSame } from '../../../../ui/forms/form-values.ts'
import { Tabs } from '../../../../ui/layout/Tabs.tsx'
import { Dialog } from '../../../../ui/overlays/Dialog.tsx'
import { useDataflow, useDataflowsScope } from '../../dataflows.queries.ts'
import { useUpdateDataflow } from '../setup.queries.ts'
import { AlertFields } from './AlertFields.tsx'
import { DescriptionFields } from './DescriptionFields.tsx'
import styles from './dataflow-settings.module.css'

type DataflowTab = 'runs' | 'description' | 'alerts'
type DataflowDraft = Pick<Dataflow, 'misfire' | 'overlap' | 'is_paused' | 'description' | 'alerts'>

interface DialogProps {
  dataflow: string
  tab?: DataflowTab
  onClose: () => void
}

export function DataflowSettingsDialog({ dataflow, tab = 'runs', onClose }: DialogProps) {
  const { address } = useDataflowsScope()
  const query = useDataflow(address, dataflow)
  if (query.data) return <Settings start={query.data} tab={tab} onClose={onClose} />
  return (
    <Dialog size="md" title="Dataflow settings" onClose={onClose}>
      <Loaded query={query} subject="The dataflow" skeletonHeights={[32, 160]}>
        {() => null}
      </Loaded>
    </Dialog>
  )
}

const MISFIRE: Record<MisfirePolicy, { label: string; hint: string }> = {
  latest: { label: 'Run the latest once', hint: 'Of several missed due times, only the last one runs.' },
  all: { label: 'Run every one', hint: 'Each missed due time gets its run, one after the other.' },
  none: { label: 'Run none', hint: 'It continues with the next due time.' },
}
const OVERLAP: Record<OverlapPolicy, { label: string; hint: string }> = {
  queue: { label: 'Wait, newest first', hint: 'One run waits; a newer one replaces it.' },
  skip: { label: 'Leave the new one out', hint: 'It is noted with the reason, and not run.' },
  parallel: { label: 'Run both at once', hint: 'Only for blocks that may write side by side.' },
}

function Settings({ start, tab, onClose }: { start: Dataflow; tab: DataflowTab; onClose: () => void }) {
  const { address, canWrite } = useDataflowsScope()
  const update = useUpdateDataflow()
  const [shown, setShown] = useState(tab)
  const [draft, setDraft] = useState<DataflowDraft>(() => toDraft(start))
  const set = (part: Partial<DataflowDraft>) => setDraft((oldDataflowDraft) => ({ ...oldDataflowDraft, ...part }))
  const isDirty = !isSame(draft, toDraft(start))
  const isValid = z.safeParse(UpdateDataflow, draft).success
  const save = () =>
    update.mutate(
      { params: { ...address, relative_trellis_code: start.trellis_code }, body: draft },
      { onSuccess: onClose },
    )
  const isDisabled = !canWrite || update.isPending
  return (
    <Dialog
      size="md"
      title={`Settings of ${start.name}`}
      isLocked={update.isPending}
      onClose={onClose}
      footer={
        <>
          <Button disabled={update.isPending} onClick={onClose}>
            {canWrite ? 'Cancel' : 'Close'}
          </Button>
          {canWrite && (
            <Button variant="primary" isBusy={update.isPending} disabled={!isDirty || !isValid} onClick={save}>
              Save
            </Button>
          )}
        </>
      }
    >
      {update.error && (
        <Banner tone="danger" title="The settings were not saved">
          {update.error.message}
        </Banner>
      )}
      <Tabs
        label="Parts of the settings"
        value={shown}
        onChange={(value) => setShown(value as DataflowTab)}
        tabs={[
          { value: 'runs', label: 'Runs', content: <RunFields draft={draft} isDisabled={isDisabled} onChange={set} /> },
          {
            value: 'description',
            label: 'Description',
            content: (
              <DescriptionFields
                text={draft.description}
                isDisabled={isDisabled}
                onChange={(description) => set({ description })}
              />
            ),
          },
          {
            value: 'alerts',
            label: 'Alerts',
            content: (
              <AlertFields
                dataflow={start.trellis_code}
                alerts={draft.alerts}
                saved={start.alerts}
                isDisabled={isDisabled}
                onChange={(alerts) => set({ alerts })}
              />
            ),
          },
        ]}
      />
    </Dialog>
  )
}

const toDraft = ({ misfire, overlap, is_paused, description, alerts }: Dataflow): DataflowDraft => ({
  misfire,
  overlap,
  is_paused,
  description,
  alerts,
})

interface FieldsProps {
  draft: DataflowDraft
  isDisabled: boolean
  onChange: (part: Partial<DataflowDraft>) => void
}

function RunFields({ draft, isDisabled, onChange }: FieldsProps) {
  return (
    <div className={styles.stack}>
      <Switch
        label="Paused"
        hint="Triggers start nothing. Blocks can still be run manually."
        checked={draft.is_paused}
        disabled={isDisabled}
        onChange={(event) => onChange({ is_paused: event.target.checked })}
      />
      <RadioGroup
        label="Due times missed while Trellis was not running"
        value={draft.misfire}
        onChange={(value) => onChange({ misfire: value as MisfirePolicy })}
        options={MISFIRE_POLICIES.map((value) => ({ value, ...MISFIRE[value], isDisabled }))}
      />
      <RadioGroup
        label="When a run is due while another one is running"
        value={draft.overlap}
        onChange={(value) => onChange({ overlap: value as OverlapPolicy })}
        options={OVERLAP_POLICIES.map((value) => ({ value, ...OVERLAP[value], isDisabled }))}
      />
    </div>
  )
}
