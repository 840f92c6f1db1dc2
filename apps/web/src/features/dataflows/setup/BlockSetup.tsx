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
  const { dataflowCode, taskBlockCode } = useEditorParams()
  const canvas = useCanvas(address, dataflowCode)
  const card = canvas.data?.blocks.find((block) => block.task_block_trellis_code === taskBlockCode)
  const flowName = canvas.data?.name
  useEffect(() => {
    if (flowName !== undefined) cacheBreadcrumbName(dataflowCode, flowName)
    if (card) cacheBreadcrumbName(taskBlockCode, card.name)
  }, [dataflowCode, flowName, taskBlockCode, card])
  const back = <ButtonLink to={paths.editor(dataflowCode)}>Open the canvas</ButtonLink>
  if (canvas.isPending) return <SetupGhost />
  if (card) return <OfKind key={taskBlockCode} kind={card.kind} code={taskBlockCode} />
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
