import type { ActivityKind } from '@trellis/contract/dataflows/dataflow-words'
import type { SourceSettings, TransformationSettings } from '@trellis/contract/dataflows/task-blocks.schemas'
import { lazy, Suspense, useCallback, useEffect, useMemo, useState, type ComponentType, type ReactNode } from 'react'
import { Loading, Skeleton } from '../../../ui/feedback/Skeleton.tsx'
import { ConfirmDialog } from '../../../ui/overlays/ConfirmDialog.tsx'
import { useLeaveGuard } from '../../../ui/overlays/use-leave-guard.ts'
import type { Block } from './draft/block-kinds.ts'
import { DraftNotices } from './draft/DraftNotices.tsx'
import { DraftProvider, useBlockDraft, useDraft, type BlockDraft, type Fault } from './draft/use-block-draft.ts'
import { FaultList } from './panes/FaultList.tsx'
import { goToFieldSoon, parseSubtaskIndex } from './panes/go-to-field.ts'
import { LimitFields } from './panes/LimitFields.tsx'
import { PANES, PaneTabs, type PaneName } from './panes/PaneTabs.tsx'
import { SamplePane } from './panes/SamplePane.tsx'
import { findMissingInput, SourceInputPane } from './panes/SourceInputPane.tsx'
import { SqlInputPane } from './panes/SqlInputPane.tsx'
import { SetupHead } from './SetupHead.tsx'
import { SetupViewProvider, useSetupView } from './setup-view.ts'
import styles from './setup.module.css'
import { TriggerSettings } from './trigger/TriggerSettings.tsx'

const FIELDS: Record<ActivityKind, ComponentType> = {
  Source: lazy(() => import('./source/SourceFields.tsx')),
  Transformation: lazy(() => import('./transformation/TransformationFields.tsx')),
  Destination: lazy(() => import('./destination/DestinationFields.tsx')),
}

export function SetupScreen({ block }: { block: Block }) {
  const draft = useBlockDraft(block)
  const [subtask, showSubtask] = useState(0)
  const [pane, showPane] = useState<PaneName>('settings')
  const view = useMemo(() => ({ subtask, showSubtask }), [subtask])
  const guard = useLeaveGuard(draft.save !== 'saved', draft.save === 'waiting' || draft.save === 'saving')
  useUndoKeys(draft)
  const { showFaults } = draft
  const go = useCallback(
    (fault: Fault) => {
      showFaults()
      showPane('settings')
      const subtaskIndex = parseSubtaskIndex(fault.path)
      if (subtaskIndex !== null) showSubtask(subtaskIndex)
      goToFieldSoon(fault.path)
    },
    [showFaults],
  )
  const Fields = FIELDS[block.kind]
  return (
    <DraftProvider value={draft}>
      <SetupViewProvider value={view}>
        <div className={styles.screen}>
          <SetupHead onMend={go} />
          <PaneTabs value={pane} onChange={showPane} />
          <div className={styles.panes} data-shown={pane}>
            <div className={styles.column} id={PANES.input.id}>
              <InputPane />
            </div>
            <div className={styles.column} id={PANES.settings.id}>
              <div className={styles.settings}>
                <DraftNotices />
                <FaultList onGo={go} />
                <Suspense fallback={<Ghost />}>
                  <Fields />
                  <TriggerSettings />
                  <LimitFields />
                </Suspense>
              </div>
            </div>
            <div className={styles.column} id={PANES.output.id}>
              <OutputPane />
            </div>
          </div>
        </div>
        {guard.isAsking && (
          <ConfirmDialog
            title="Leave without saving?"
            confirmLabel="Leave"
            cancelLabel="Stay"
            onConfirm={guard.leave}
            onClose={guard.stay}
          >
            <p>Some changes have not reached Trellis. They are stored in this tab and restored when you return.</p>
          </ConfirmDialog>
        )}
      </SetupViewProvider>
    </DraftProvider>
  )
}

function Ghost() {
  return (
    <Loading label="Loading the settings" className={styles.group}>
      <Skeleton height={120} />
      <Skeleton height={220} />
    </Loading>
  )
}

function InputPane(): ReactNode {
  const { block, settings, faults } = useDraft()
  if (block.kind === 'Source') return <SourceInputPane />
  if (block.kind === 'Transformation' && (settings as TransformationSettings).language === 'sql')
    return <SqlInputPane />
  const isOpen = faults.some(({ path }) => path.startsWith('input'))
  return (
    <SamplePane
      side="input"
      title="Input"
      about="What is read from the database"
      lacks={
        isOpen || !(settings as TransformationSettings).input ? 'Choose a table or write a query to see rows.' : null
      }
    />
  )
}

function OutputPane(): ReactNode {
  const { block, settings, faults } = useDraft()
  const { subtask: subtaskIndex } = useSetupView()
  if (block.kind === 'Source') {
    const source = settings as SourceSettings
    const subtask = source.subtasks[subtaskIndex]
    return (
      <SamplePane
        key={subtask?.name}
        side="output"
        title="Output"
        about={
          subtask?.write ? `As written into ${subtask.write.schema_name}.${subtask.write.table_name}` : 'As written'
        }
        subtask={subtask?.name}
        lacks={findMissingInput(source, subtaskIndex, faults)}
      />
    )
  }
  const isOpen = faults.some(({ path }) => !path.startsWith('trigger'))
  return (
    <SamplePane
      side="output"
      title="Output"
      about={block.kind === 'Transformation' ? 'What the code makes of it' : 'What is sent'}
      lacks={isOpen ? 'Complete the settings, and the first rows appear here.' : null}
    />
  )
}

/** Undo keys belong to text fields and editors. */
const OWN_STEPS = 'input:not([type=checkbox], [type=radio]), textarea, [role=textbox], dialog'

function useUndoKeys({ store, isDisabled }: BlockDraft): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (isDisabled || !(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== 'z') return
      const { target } = event
      if (target instanceof HTMLElement && target.closest(OWN_STEPS)) return
      event.preventDefault()
      if (event.shiftKey) store.redo()
      else store.undo()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [store, isDisabled])
}
