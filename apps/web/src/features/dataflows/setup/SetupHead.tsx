import { History, Play } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { useNavigate } from 'react-router'
import { Button, ButtonLink } from '../../../ui/actions/Button.tsx'
import { Badge } from '../../../ui/feedback/Status.tsx'
import { showToast } from '../../../ui/feedback/toasts.ts'
import { useDataflowsScope } from '../dataflows.queries.ts'
import { BlockName } from './BlockName.tsx'
import { SaveState } from './draft/SaveState.tsx'
import { useDraft, type Fault } from './draft/use-block-draft.ts'
import { PublishButton } from './publish/PublishButton.tsx'
import { useRunBlock } from './setup.queries.ts'
import styles from './setup.module.css'

const PublishDialog = lazy(() => import('./publish/PublishDialog.tsx'))
const RunDialog = lazy(() => import('../../../running/run/RunDialog.tsx'))
const VersionsDialog = lazy(() => import('./versions/VersionsDialog.tsx'))

export function SetupHead({ onMend }: { onMend: (fault: Fault) => void }) {
  const { address, paths } = useDataflowsScope()
  const { block, store, faults, save, isDisabled } = useDraft()
  const [open, setOpen] = useState<'publish' | 'versions' | 'run' | null>(null)
  const navigate = useNavigate()
  const run = useRunBlock()
  const { dataflow_trellis_code: dataflow, task_block_trellis_code: code } = block
  const publish = async () => {
    const isSaved = faults.length === 0 && (await store.flush())
    const { problems, faults: found } = store.get()
    const first = faults[0] ?? found[0] ?? problems.map((problem): Fault => ({ kind: 'invalid', ...problem }))[0]
    if (first) onMend(first)
    else if (isSaved) setOpen('publish')
  }
  const start = () =>
    run.mutate(
      { params: { ...address, task_block_trellis_code: code }, body: { scope: 'block' } },
      {
        onSuccess: () =>
          showToast({
            tone: 'success',
            text: `${block.name} is on its way.`,
            action: { label: 'Show its runs', onSelect: () => void navigate(paths.blockLogs(dataflow, code)) },
          }),
        onError: (error) => showToast({ tone: 'danger', text: error.message }),
      },
    )
  return (
    <header className={styles.head}>
      <div className={styles.headText}>
        <BlockName />
        <Badge>{block.kind}</Badge>
        <SaveState />
      </div>
      <div className={styles.headActions}>
        <ButtonLink variant="ghost" to={paths.editor(dataflow)}>
          Canvas
        </ButtonLink>
        <Button variant="ghost" icon={<History aria-hidden />} onClick={() => setOpen('versions')}>
          Versions
        </Button>
        {block.published_version !== null && !isDisabled && (
          <Button icon={<Play aria-hidden />} isBusy={run.isPending} onClick={start}>
            Run version {block.published_number}
          </Button>
        )}
        {block.published_version !== null && !isDisabled && <Button onClick={() => setOpen('run')}>Run…</Button>}
        <PublishButton
          state={block.publish_state}
          faults={faults}
          isChanged={save !== 'saved'}
          isDisabled={isDisabled}
          onPress={() => void publish()}
        />
      </div>
      <Suspense fallback={null}>
        {open === 'publish' && (
          <PublishDialog block={block} onClose={() => setOpen(null)} onPublished={() => void store.refresh()} />
        )}
        {open === 'run' && (
          <RunDialog
            address={address}
            blocks={[block]}
            watchPath={paths.blockLogs(dataflow, code)}
            onClose={() => setOpen(null)}
          />
        )}
        {open === 'versions' && (
          <VersionsDialog block={block} onClose={() => setOpen(null)} onRestored={() => void store.refresh()} />
        )}
      </Suspense>
    </header>
  )
}
