import { CalendarClock, FileText, Play } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { Button, ButtonLink } from '../../ui/actions/Button.tsx'
import { useDataflowsScope, useEditorParams } from '../dataflows/dataflows.queries.ts'
import { useBlocks } from './runs.queries.ts'
import { RunsView } from './RunsView.tsx'

const RunDialog = lazy(() => import('../../running/run/RunDialog.tsx'))
const SimulatorDialog = lazy(() => import('../../running/triggers/SimulatorDialog.tsx'))
const DataflowAbout = lazy(() => import('./about/DataflowAbout.tsx'))

type OpenDialog = 'run' | 'simulator' | 'about' | null

export function Component() {
  const { address, paths, canWrite } = useDataflowsScope()
  const { dataflowCode } = useEditorParams()
  const canvas = useBlocks(address, dataflowCode)
  const [openPanel, setOpened] = useState<OpenDialog>(null)
  const blocks = canvas.data?.blocks ?? []
  const close = () => setOpened(null)
  const hasBlocks = blocks.length > 0
  return (
    <>
      <RunsView
        dataflow={dataflowCode}
        blocks={blocks}
        tools={
          <>
            <Button icon={<FileText aria-hidden />} onClick={() => setOpened('about')}>
              Description
            </Button>
            <Button icon={<CalendarClock aria-hidden />} disabled={!hasBlocks} onClick={() => setOpened('simulator')}>
              Next 60 days
            </Button>
            {canWrite && (
              <Button icon={<Play aria-hidden />} disabled={!hasBlocks} onClick={() => setOpened('run')}>
                Run
              </Button>
            )}
          </>
        }
        firstStep={<ButtonLink to={paths.editor(dataflowCode)}>Open the editor</ButtonLink>}
      />
      <Suspense fallback={null}>
        {openPanel === 'run' && <RunDialog address={address} blocks={blocks} onClose={close} />}
        {openPanel === 'simulator' && <SimulatorDialog address={address} blocks={blocks} onClose={close} />}
        {openPanel === 'about' && (
          <DataflowAbout address={address} dataflow={dataflowCode} canWrite={canWrite} onClose={close} />
        )}
      </Suspense>
    </>
  )
}
