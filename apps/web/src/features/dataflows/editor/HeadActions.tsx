import type { BlockCard } from '@trellis/contract/dataflows/task-blocks.schemas'
import type { Dataflow } from '@trellis/contract/dataflows/dataflows.schemas'
import { useQueryClient } from '@tanstack/react-query'
import { Play, Upload } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { Button } from '../../../ui/actions/Button.tsx'
import { Tooltip } from '../../../ui/overlays/Tooltip.tsx'
import { canvasQuery, useCanvas } from '../canvas.queries.ts'
import { useDataflowsScope } from '../dataflows.queries.ts'
import { DataflowMenu } from '../list/DataflowMenu.tsx'
import { useRunFlow } from './work/use-run.ts'

const PublishAllDialog = lazy(() => import('./dialogs/PublishAllDialog.tsx'))

const isChanged = ({ publish_state }: BlockCard) => publish_state === 'changed' || publish_state === 'never'
const canRun = ({ published_version }: BlockCard) => published_version !== null

function formatPublishButton(changed: number, open: number): string {
  if (changed > 0) return `Publish ${changed}`
  return open > 0 ? `${open} to complete` : 'Nothing to publish'
}

export default function HeadActions({ dataflow }: { dataflow: Dataflow }) {
  const { address, canWrite } = useDataflowsScope()
  const { data } = useCanvas(address, dataflow.trellis_code)
  const client = useQueryClient()
  const [isPublishing, setPublishing] = useState(false)
  const reload = () => void client.invalidateQueries({ queryKey: canvasQuery(address, dataflow.trellis_code).queryKey })
  const run = useRunFlow(reload)
  const blocks = data?.blocks ?? []
  const open = blocks.filter((block) => block.publish_state !== 'published')
  const changedBlocks = blocks.filter(isChanged)
  const hasPublished = blocks.some(canRun)
  return (
    <>
      {canWrite && (
        <>
          <Tooltip text={hasPublished ? 'Runs what waits for nothing, and on from there' : 'Publish a block first'}>
            <Button
              icon={<Play aria-hidden />}
              disabled={!hasPublished}
              isBusy={run.isPending}
              onClick={() => run.mutate({ params: { ...address, trellis_code: dataflow.trellis_code } })}
            >
              Run all
            </Button>
          </Tooltip>
          <Button
            variant={changedBlocks.length > 0 ? 'primary' : 'secondary'}
            icon={<Upload aria-hidden />}
            disabled={open.length === 0}
            onClick={() => setPublishing(true)}
          >
            {formatPublishButton(changedBlocks.length, open.length)}
          </Button>
        </>
      )}
      <DataflowMenu dataflow={dataflow} isInEditor />
      {isPublishing && (
        <Suspense>
          <PublishAllDialog blocks={open} onPublished={reload} onClose={() => setPublishing(false)} />
        </Suspense>
      )}
    </>
  )
}
