import { Link } from 'react-router'
import { Loaded } from '../../../app/loading/Loaded.tsx'
import { Page } from '../../../ui/layout/Page.tsx'
import { useCanvas } from '../canvas.queries.ts'
import { useDataflowsPlace, useEditorAddress } from '../dataflows.queries.ts'

/** The blocks of a dataflow. */
export function Component() {
  const { address, paths } = useDataflowsPlace()
  const { dataflow } = useEditorAddress()
  const canvas = useCanvas(address, dataflow)
  return (
    <Page width="full">
      <Loaded query={canvas} what="The canvas">
        {({ blocks }) => (
          <ul>
            {blocks.map((block) => (
              <li key={block.task_block_trellis_code}>
                <Link to={paths.setup(dataflow, block.task_block_trellis_code)}>{block.name}</Link>
              </li>
            ))}
          </ul>
        )}
      </Loaded>
    </Page>
  )
}
