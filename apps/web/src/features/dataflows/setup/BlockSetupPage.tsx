import { Loaded } from '../../../app/loading/Loaded.tsx'
import { Page, PageHeader } from '../../../ui/layout/Page.tsx'
import { useCanvas } from '../canvas.queries.ts'
import { useDataflowsPlace, useEditorAddress } from '../dataflows.queries.ts'

/** What one block does and when. */
export function Component() {
  const { address } = useDataflowsPlace()
  const { dataflow, taskBlock } = useEditorAddress()
  const canvas = useCanvas(address, dataflow)
  return (
    <Page>
      <Loaded query={canvas} what="The block">
        {({ blocks }) => (
          <PageHeader title={blocks.find((one) => one.task_block_trellis_code === taskBlock)?.name ?? 'Block'} />
        )}
      </Loaded>
    </Page>
  )
}
