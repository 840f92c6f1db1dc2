import { Link } from 'react-router'
import { useDataflowsScope } from '../../dataflows/dataflows.queries.ts'
import { useWorksheets } from '../use-worksheets.ts'
import { useWorksheetBlocks } from './scheduled.queries.ts'
import styles from './scheduled.module.css'

export function UsedByBlocks({ projectId, fileId }: { projectId: string; fileId: string }) {
  const { params } = useWorksheets()
  const { paths } = useDataflowsScope()
  const { data: blocks = [] } = useWorksheetBlocks(params, { projectId, fileId })
  if (blocks.length === 0) return null
  return (
    <>
      <p>These dataflows run it. They keep its last version.</p>
      <ul className={styles.blocks}>
        {blocks.map(({ task_block_trellis_code: block, dataflow_trellis_code: dataflow, name, dataflow_name }) => (
          <li key={block}>
            <Link to={paths.setup(dataflow, block)}>
              {name} ({dataflow_name})
            </Link>
          </li>
        ))}
      </ul>
    </>
  )
}
