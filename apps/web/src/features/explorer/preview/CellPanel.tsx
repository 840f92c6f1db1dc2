import { byteLength } from '@trellis/contract/explorer/names'
import { CopyButton } from '../../../ui/actions/CopyButton.tsx'
import { formatBytes } from '../../../ui/data/amounts.ts'
import { Banner } from '../../../ui/feedback/Banner.tsx'
import { Loading, Skeleton } from '../../../ui/feedback/Skeleton.tsx'
import { SidePanel } from '../../../ui/overlays/SidePanel.tsx'
import type { TableAddress } from '../explorer-paths.ts'
import { useCell, type LoadedRows } from '../rows.queries.ts'
import { useExplorer } from '../use-explorer.ts'
import styles from './preview.module.css'
import { formatJsonText } from './readable.ts'

interface CellPanelProps {
  address: TableAddress
  data: LoadedRows
  cell: { row: number; column: number }
  onClose: () => void
}

export function CellPanel({ address, data, cell, onClose }: CellPanelProps) {
  const column = data.columns[cell.column]
  const row = data.rows[cell.row]
  if (!column || !row) return null
  const value = row.cells[cell.column] ?? null
  return (
    <SidePanel title={column.name} onClose={onClose}>
      {row.cut.includes(cell.column) ? (
        <CutCell address={address} column={column} row={cell.row} start={value ?? ''} rowKey={row.key} />
      ) : (
        <Value value={value} type={column.type} row={cell.row} />
      )}
    </SidePanel>
  )
}

interface CutCellProps {
  address: TableAddress
  column: LoadedRows['columns'][number]
  row: number
  start: string
  rowKey: string | null
}

/** The preview truncates long values: loads the whole one. */
function CutCell({ address, column, row, start, rowKey }: CutCellProps) {
  const { params } = useExplorer()
  const cellQuery = useCell(params, { table: address, column: column.name, key: rowKey })
  if (rowKey !== null && cellQuery.isPending) {
    return (
      <Loading label="Loading the whole value" className={styles.ghosts}>
        <Skeleton />
        <Skeleton />
      </Loading>
    )
  }
  return (
    <>
      {cellQuery.isError && (
        <Banner tone="danger">The whole value could not be loaded. {cellQuery.error.message}</Banner>
      )}
      {rowKey === null && (
        <Banner>
          This table has no primary key to find the row by, so only the beginning of the value can be shown.
        </Banner>
      )}
      {cellQuery.data?.is_cut && <Banner>The value is too large to display. Export the table to get all of it.</Banner>}
      <Value
        value={cellQuery.data ? cellQuery.data.value : start}
        type={column.type}
        row={row}
        {...(cellQuery.data && { bytes: cellQuery.data.bytes })}
      />
    </>
  )
}

interface ValueProps {
  value: string | null
  type: string
  row: number
  bytes?: number
}

function Value({ value, type, row, bytes }: ValueProps) {
  if (value === null) return <p className={styles.null}>NULL</p>
  return (
    <>
      <p className={styles.cellFacts}>
        <code>{type}</code>
        <span>Row {row + 1}</span>
        <span>{formatBytes(bytes ?? byteLength(value))}</span>
        <CopyButton text={value} label="Copy value" />
      </p>
      <pre tabIndex={0} aria-label="Value" className={styles.value}>
        {formatJsonText(value, type)}
      </pre>
    </>
  )
}
