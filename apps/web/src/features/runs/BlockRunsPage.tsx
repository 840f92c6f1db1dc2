import { HelpCircle, Play, Settings2 } from 'lucide-react'
import { lazy, Suspense, useEffect, useState } from 'react'
import { cacheBreadcrumbName } from '../../app/shell/breadcrumb-names.ts'
import { Button, ButtonLink } from '../../ui/actions/Button.tsx'
import { PageHeader } from '../../ui/layout/Page.tsx'
import { useDataflowsScope, useEditorParams } from '../dataflows/dataflows.queries.ts'
import { useBlocks } from './runs.queries.ts'
import { RunsView } from './RunsView.tsx'
import styles from './block-runs.module.css'

const RunDialog = lazy(() => import('../../running/run/RunDialog.tsx'))
const TriggerPanel = lazy(() => import('../../running/triggers/TriggerPanel.tsx'))

export function Component() {
  const { address, paths, canWrite } = useDataflowsScope()
  const { dataflowCode, taskBlockCode } = useEditorParams()
  const canvas = useBlocks(address, dataflowCode)
  const [openPanel, setOpened] = useState<'run' | 'triggers' | null>(null)
  const block = canvas.data?.blocks.find((candidate) => candidate.task_block_trellis_code === taskBlockCode)
  const name = block?.name
  useEffect(() => {
    if (canvas.data) cacheBreadcrumbName(dataflowCode, canvas.data.name)
    if (name !== undefined) cacheBreadcrumbName(taskBlockCode, name)
  }, [dataflowCode, taskBlockCode, canvas.data, name])
  const close = () => setOpened(null)
  return (
    <>
      <div className={styles.head}>
        <PageHeader
          title={name ?? 'Runs of a block'}
          subtitle={block?.trigger_in_words ?? (canvas.isPending && '\u00a0')}
          actions={
            <>
              <ButtonLink to={paths.setup(dataflowCode, taskBlockCode)} icon={<Settings2 aria-hidden />}>
                Set up
              </ButtonLink>
              <Button icon={<HelpCircle aria-hidden />} onClick={() => setOpened('triggers')}>
                When does it run?
              </Button>
              {canWrite && (
                <Button
                  variant="primary"
                  icon={<Play aria-hidden />}
                  disabled={!block}
                  onClick={() => setOpened('run')}
                >
                  Run
                </Button>
              )}
            </>
          }
        />
      </div>
      <RunsView dataflow={dataflowCode} blocks={canvas.data?.blocks ?? []} only={taskBlockCode} />
      <Suspense fallback={null}>
        {openPanel === 'run' && block && <RunDialog address={address} blocks={[block]} onClose={close} />}
        {openPanel === 'triggers' && (
          <TriggerPanel address={address} block={taskBlockCode} blocks={canvas.data?.blocks ?? []} onClose={close} />
        )}
      </Suspense>
    </>
  )
}
