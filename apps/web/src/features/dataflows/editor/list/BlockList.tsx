import type { BlockCard } from '@trellis/contract/dataflows/task-blocks.schemas'
import { useMemo } from 'react'
import { useNavigate } from 'react-router'
import { DataTable, type Column } from '../../../../ui/data/DataTable.tsx'
import { RowActions } from '../../../../ui/data/RowActions.tsx'
import { useLocalTableState } from '../../../../ui/data/use-table-state.ts'
import { Badge, StatusDot } from '../../../../ui/feedback/Status.tsx'
import { formatTimeAgo, formatDueTime } from '../../due-text.ts'
import { PUBLISH_STATE_LABELS, formatFaultCount, getBlockStatusLabel } from '../../status-labels.ts'
import type { EditorProps } from '../editor-props.ts'
import { upstreamFirst } from '../../../../running/flow-order.ts'
import { KindIcon } from '../view/KindIcon.tsx'
import styles from './list.module.css'

export function BlockList({ canvas, menu }: EditorProps) {
  const state = useLocalTableState()
  const navigate = useNavigate()
  const rows = useMemo(() => upstreamFirst(canvas.blocks), [canvas.blocks])
  const now = new Date()
  const columns: Column<BlockCard>[] = [
    {
      key: 'name',
      title: 'Block',
      sortBy: (row) => row.name,
      cell: (row) => <NameCell block={row} />,
    },
    {
      key: 'status',
      title: 'Status',
      width: 136,
      sortBy: (row) => getBlockStatusLabel(row).text,
      cell: (row) => (
        <StatusDot tone={getBlockStatusLabel(row).tone} isBusy={getBlockStatusLabel(row).isBusy ?? false}>
          {getBlockStatusLabel(row).text}
        </StatusDot>
      ),
    },
    {
      key: 'starts',
      title: 'Starts',
      isSecondary: true,
      cell: (row) => <span className={styles.wrap}>{row.trigger_in_words}</span>,
    },
    {
      key: 'last',
      title: 'Last run',
      width: 104,
      isSecondary: true,
      sortBy: (row) => (row.last_run ? new Date(row.last_run.at) : null),
      cell: (row) => (row.last_run ? formatTimeAgo(new Date(row.last_run.at), now) : 'Never'),
    },
    {
      key: 'next',
      title: 'Next run',
      width: 128,
      isSecondary: true,
      sortBy: (row) => (row.next_due_at ? new Date(row.next_due_at) : null),
      cell: (row) => (row.next_due_at ? formatDueTime(new Date(row.next_due_at), now) : ''),
    },
    {
      key: 'menu',
      title: '',
      width: 44,
      cell: (row) => <RowActions label={`Actions for ${row.name}`} groups={menu.getMenuGroups(row)} />,
    },
  ]
  return (
    <div className={styles.list}>
      <DataTable
        label="Blocks"
        rows={rows}
        columns={columns}
        rowKey={(row) => row.task_block_trellis_code}
        searchText={(row) => `${row.name} ${row.kind} ${row.integration_name ?? ''} ${row.metadata.note}`}
        state={state}
        onOpen={(row) => void navigate(menu.setupPath(row))}
      />
    </div>
  )
}

function NameCell({ block }: { block: BlockCard }) {
  const { kind, name, platform_icon, integration_name, publish_state, faults } = block
  return (
    <span className={styles.named}>
      <KindIcon kind={kind} icon={platform_icon} />
      <span className={styles.texts}>
        <span className={styles.nameLine}>
          <strong>{name}</strong>
          {faults.length > 0 ? (
            <Badge tone="warning">{formatFaultCount(faults.length)}</Badge>
          ) : (
            publish_state !== 'published' && (
              <Badge tone={PUBLISH_STATE_LABELS[publish_state].tone}>{PUBLISH_STATE_LABELS[publish_state].text}</Badge>
            )
          )}
        </span>
        <span className={styles.soft}>{integration_name ? `${kind} · ${integration_name}` : kind}</span>
      </span>
    </span>
  )
}
