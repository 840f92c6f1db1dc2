import type { SourceSettings, Subtask } from '@trellis/contract/dataflows/task-blocks.schemas'
import { MoreHorizontal, Plus } from 'lucide-react'
import { Button } from '../../../../ui/actions/Button.tsx'
import { IconButton } from '../../../../ui/actions/IconButton.tsx'
import { Badge } from '../../../../ui/feedback/Status.tsx'
import { Menu } from '../../../../ui/overlays/Menu.tsx'
import { useDraft } from '../draft/use-block-draft.ts'
import styles from '../setup.module.css'
import { canAddSubtask, withCopy, withMoved, withNewSubtask, withoutSubtask } from './subtasks.ts'

export function SubtaskList({
  subtaskIndex,
  onChoose,
}: {
  subtaskIndex: number
  onChoose: (subtaskIndex: number) => void
}) {
  const { settings, change, faults, isDisabled } = useDraft<SourceSettings>()
  const { subtasks } = settings
  const put = (next: Subtask[], selected: number) => {
    change((old) => ({ ...old, subtasks: next }), null)
    onChoose(selected)
  }
  const listMenuItems = (index: number) => [
    {
      label: 'Duplicate',
      isDisabled: !canAddSubtask(subtasks),
      onSelect: () => put(withCopy(subtasks, index), index + 1),
    },
    { label: 'Move up', isDisabled: index === 0, onSelect: () => put(withMoved(subtasks, index, -1), index - 1) },
    {
      label: 'Move down',
      isDisabled: index === subtasks.length - 1,
      onSelect: () => put(withMoved(subtasks, index, 1), index + 1),
    },
    { label: 'Remove', isDanger: true, onSelect: () => put(withoutSubtask(subtasks, index), Math.max(0, index - 1)) },
  ]
  return (
    <div data-path="subtasks">
      <header className={styles.groupHead}>
        <h2 id="subtasks">Subtasks</h2>
        <Button
          size="sm"
          icon={<Plus aria-hidden />}
          disabled={isDisabled || !canAddSubtask(subtasks)}
          onClick={() => put(withNewSubtask(subtasks, {}), subtasks.length)}
        >
          Add subtask
        </Button>
      </header>
      {subtasks.length === 0 ? (
        <p className={styles.soft}>Each subtask reads one thing and writes it into one table. Add the first one.</p>
      ) : (
        <ol className={styles.subtasks}>
          {subtasks.map((subtask, index) => {
            const count = faults.filter(({ path }) => path.startsWith(`subtasks.${index}.`)).length
            return (
              <li key={index}>
                <button
                  type="button"
                  className={styles.subtask}
                  aria-current={index === subtaskIndex}
                  onClick={() => onChoose(index)}
                >
                  <span>{subtask.name || 'Without a name'}</span>
                  <small>
                    {subtask.write ? `${subtask.write.schema_name}.${subtask.write.table_name}` : 'no table yet'}
                  </small>
                </button>
                {count > 0 && <Badge tone="warning">{count} to fix</Badge>}
                {!isDisabled && (
                  <Menu
                    label={`Subtask ${subtask.name}`}
                    groups={[listMenuItems(index).slice(0, -1), listMenuItems(index).slice(-1)]}
                    align="end"
                    trigger={(props) => (
                      <IconButton
                        {...props}
                        size="sm"
                        label={`More for ${subtask.name}`}
                        icon={<MoreHorizontal aria-hidden />}
                      />
                    )}
                  />
                )}
              </li>
            )
          })}
        </ol>
      )}
    </div>
  )
}
