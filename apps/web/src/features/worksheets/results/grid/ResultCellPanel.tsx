import type { ResultColumn } from '@trellis/contract/sql/sql.schemas'
import { Loaded } from '../../../../app/loading/Loaded.tsx'
import { CopyButton } from '../../../../ui/actions/CopyButton.tsx'
import { SidePanel } from '../../../../ui/overlays/SidePanel.tsx'
import { JsonTree } from './JsonTree.tsx'
import { useResultCell } from '../../sql.queries.ts'
import { useWorksheets } from '../../use-worksheets.ts'
import styles from '../results.module.css'

interface ResultCellPanelProps {
  cellAddress: { jobId: string; statement: number; row: number; column: number }
  column: ResultColumn
  onClose: () => void
}

export function ResultCellPanel({ cellAddress, column, onClose }: ResultCellPanelProps) {
  const { params } = useWorksheets()
  const cell = useResultCell(params, cellAddress)
  return (
    <SidePanel title={column.name} onClose={onClose}>
      <Loaded query={cell} subject="The value" skeletonHeights={[60]}>
        {({ value }) =>
          value === null ? (
            <p className={styles.message}>NULL</p>
          ) : (
            <>
              <p>
                <code>{column.type}</code> <CopyButton text={value} label="Copy value" />
              </p>
              {column.kind === 'json' && <JsonTree text={value} />}
              <pre tabIndex={0} aria-label="Value" className={styles.value}>
                {column.kind === 'json' ? formatJson(value) : value}
              </pre>
            </>
          )
        }
      </Loaded>
    </SidePanel>
  )
}

function formatJson(value: string): string {
  try {
    return JSON.stringify(JSON.parse(value), null, 2)
  } catch {
    return value
  }
}
