import { Handle, type NodeProps, Position } from '@xyflow/react'
import { ChevronDown, ChevronRight } from 'lucide-react'
import { memo } from 'react'
import { Markdown } from '../../../../ui/data/Markdown.tsx'
import type { GroupNode as Shown } from '../model/to-nodes.ts'
import { useSurroundings } from './canvas-context.ts'
import styles from './group.module.css'

export const GroupNode = memo(function GroupNode({ data: { group, members }, selected }: NodeProps<Shown>) {
  const { isOverview, canWrite, onFold } = useSurroundings()
  const { name, color, note, is_folded, trellis_code } = group
  const count = members.length === 1 ? '1 block' : `${members.length} blocks`
  return (
    <div
      className={styles.group}
      data-color={color}
      data-folded={is_folded || undefined}
      data-selected={selected || undefined}
    >
      {is_folded && <Handle type="target" position={Position.Left} isConnectable={false} />}
      <div className={styles.head} data-drag>
        {!isOverview && (
          <>
            <button
              type="button"
              tabIndex={-1}
              className={styles.fold}
              disabled={!canWrite}
              aria-label={is_folded ? 'Unfold' : 'Fold'}
              aria-expanded={!is_folded}
              onClick={() => onFold(trellis_code)}
            >
              {is_folded ? <ChevronRight aria-hidden /> : <ChevronDown aria-hidden />}
            </button>
            <strong>{name || 'Group'}</strong>
            <span className={styles.count}>{count}</span>
          </>
        )}
      </div>
      {note !== '' && !is_folded && !isOverview && (
        <div className={styles.note}>
          <Markdown text={note} />
        </div>
      )}
      {is_folded && <Handle type="source" position={Position.Right} isConnectable={false} />}
    </div>
  )
})
