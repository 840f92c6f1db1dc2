import type { ActivityKind } from '@trellis/contract/dataflows/dataflow-words'
import { useEffect } from 'react'
import { Loaded } from '../../../app/loading/Loaded.tsx'
import { cacheBreadcrumbName } from '../../../app/shell/breadcrumb-names.ts'
import { ButtonLink } from '../../../ui/actions/Button.tsx'
import { ErrorPanel } from '../../../ui/feedback/ErrorPanel.tsx'
import { Page } from '../../../ui/layout/Page.tsx'
import { useCanvas } from '../canvas.queries.ts'
import { useDataflowsScope, useEditorParams } from '../dataflows.queries.ts'
import type { Block } from './draft/block-kinds.ts'
import { useBlock } from './setup.queries.ts'
import { SetupGhost } from './SetupGhost.tsx'
import { SetupScreen } from './SetupScreen.tsx'

export default function BlockSetup() {
  const { address, paths } = useDataflowsScope()
  const { dataflow, taskBlock } = useEditorParams()
  const canvas = useCanvas(address, dataflow)
  const card = canvas.data?.blocks.find((block) => block.task_block_trellis_code === taskBlock)
  const flowName = canvas.data?.name
  useEffect(() => {
    if (flowName !== undefined) cacheBreadcrumbName(dataflow, flowName)
    if (card) cacheBreadcrumbName(taskBlock, card.name)
  }, [dataflow, flowName, taskBlock, card])
  const back = <ButtonLink to={paths.editor(dataflow)}>Open the canvas</ButtonLink>
  if (canvas.isPending) return <SetupGhost />
  if (card) return <OfKind key={taskBlock} kind={card.kind} code={taskBlock} />
  return (
    <Page>
      <Loaded query={canvas} subject="The block" notFoundLink={<ButtonLink to={paths.list}>All dataflows</ButtonLink>}>
        {() => (
          <ErrorPanel title="The block was not found" detail="It was deleted, or the address is wrong.">
            {back}
          </ErrorPanel>
        )}
      </Loaded>
    </Page>
  )
}

function OfKind({ kind, code }: { kind: ActivityKind; code: string }) {
  const block = useBlock(kind, code)
  if (block.data) return <SetupScreen block={block.data as Block} />
  if (block.isPending) return <SetupGhost />
  return (
    <Page>
      <Loaded query={block} subject="The block">
        {() => null}
      </Loaded>
    </Page>
  )
}
