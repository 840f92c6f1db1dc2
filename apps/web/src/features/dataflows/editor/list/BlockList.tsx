import type { BlockCard } from '@trellis/contract/dataflows/task-blocks.schemas'
import { useMemo } from 'react'
import { useNavigate } from 'react-router'
import { DataTable, type Column } from '../../../../ui/data/DataTable.tsx'
import { RowActions } from '../../../../ui/data/RowActions.tsx'
import { useLocalTableState } from '../../../../ui/data/use-table-state.ts'
import { Badge, StatusDot } from '../../../../ui/feedback/Status.tsx'
import { agoText, dueText } from '../../due-text.ts'
import { PUBLISH_WORDS, faultsText, getBlockWord } from '../../status-words.ts'
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
      sortBy: (one) => one.name,
      cell: (one) => <Named block={one} />,
    },
    {
      key: 'status',
      title: 'Status',
      width: 136,
      sortBy: (one) => getBlockWord(one).text,
      cell: (one) => (
        <StatusDot tone={getBlockWord(one).tone} isBusy={getBlockWord(one).isBusy ?? false}>
          {getBlockWord(one).text}
        </StatusDot>
      ),
    },
    {
      key: 'starts',
      title: 'Starts',
      isSecondary: true,
      cell: (one) => <span className={styles.wrap}>{one.trigger_in_words}</span>,
    },
    {
      key: 'last',
      title: 'Last run',
      width: 104,
      isSecondary: true,
      sortBy: (one) => (one.last_run ? new Date(one.last_run.at) : null),
      cell: (one) => (one.last_run ? agoText(new Date(one.last_run.at), now) : 'Never'),
    },
    {
      key: 'next',
      title: 'Next run',
      width: 128,
      isSecondary: true,
      sortBy: (one) => (one.next_due_at ? new Date(one.next_due_at) : null),
      cell: (one) => (one.next_due_at ? dueText(new Date(one.next_due_at), now) : ''),
    },
    {
      key: 'menu',
      title: '',
      width: 44,
      cell: (one) => <RowActions label={`Actions for ${one.name}`} groups={menu.getMenuGroups(one)} />,
    },
  ]
  return (
    <div className={styles.list}>
      <DataTable
        label="Blocks"
        rows={rows}
        columns={columns}
        rowKey={(one) => one.task_block_trellis_code}
        searchText={(one) => `${one.name} ${one.kind} ${one.integration_name ?? ''} ${one.metadata.note}`}
        state={state}
        onOpen={(one) => void navigate(menu.setupPath(one))}
      />
    </div>
  )
}

function Named({ block }: { block: BlockCard }) {
  const { kind, name, platform_icon, integration_name, publish_state, faults } = block
  return (
    <span className={styles.named}>
      <KindIcon kind={kind} icon={platform_icon} />
      <span className={styles.texts}>
        <span className={styles.nameLine}>
          <strong>{name}</strong>
          {faults.length > 0 ? (
            <Badge tone="warning">{faultsText(faults.length)}</Badge>
          ) : (
            publish_state !== 'published' && (
              <Badge tone={PUBLISH_WORDS[publish_state].tone}>{PUBLISH_WORDS[publish_state].text}</Badge>
            )
          )}
        </span>
        <span className={styles.soft}>{integration_name ? `${kind} · ${integration_name}` : kind}</span>
      </span>
    </span>
  )
}
