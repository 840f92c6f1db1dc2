import { Group, Keyboard, List, Network, Plus, Redo2, Trash2, Undo2, Workflow, CopyPlus } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from '../../../ui/actions/Button.tsx'
import { IconButton } from '../../../ui/actions/IconButton.tsx'
import { classNames } from '../../../ui/class-names.ts'
import { Kbd } from '../../../ui/data/Kbd.tsx'
import type { EditorProps } from './editor-props.ts'
import styles from './editor.module.css'
import type { CanvasView } from './use-canvas-view.ts'

interface ToolbarProps extends EditorProps {
  view: CanvasView
  onView: (view: CanvasView) => void
}

export function CanvasToolbar(props: ToolbarProps) {
  const { canWrite, onRequest, view, onView } = props
  return (
    <div className={styles.toolbar} role="toolbar" aria-label="Canvas">
      {canWrite && <Tools {...props} />}
      <span className={styles.fill} />
      <Choice label="View">
        <IconButton
          label="Show the canvas"
          icon={<Workflow aria-hidden />}
          aria-pressed={view === 'canvas'}
          onClick={() => onView('canvas')}
        />
        <IconButton
          label="Show a list of the blocks"
          icon={<List aria-hidden />}
          aria-pressed={view === 'list'}
          onClick={() => onView('list')}
        />
      </Choice>
      <span className={styles.onDesk}>
        <IconButton
          label="Keys of the canvas"
          hint={<Kbd keys="?" />}
          icon={<Keyboard aria-hidden />}
          onClick={() => onRequest({ kind: 'shortcuts' })}
        />
      </span>
    </div>
  )
}

function Tools({ canvas, work, actions, onRequest, selected }: ToolbarProps) {
  const [only] = selected.length === 1 ? selected : []
  const after = only === undefined ? null : (actions.find(only) ?? null)
  return (
    <>
      <Button size="sm" icon={<Plus aria-hidden />} onClick={() => onRequest({ kind: 'add', after, point: null })}>
        Add block
      </Button>
      <span className={styles.rule} />
      <IconButton
        label={work.undoWords === undefined ? 'Undo' : `Undo ${work.undoWords}`}
        hint={<Kbd keys="mod+z" />}
        icon={<Undo2 aria-hidden />}
        disabled={work.undoWords === undefined}
        onClick={() => void work.undo()}
      />
      <IconButton
        label={work.redoWords === undefined ? 'Redo' : `Redo ${work.redoWords}`}
        hint={<Kbd keys="mod+y" />}
        icon={<Redo2 aria-hidden />}
        disabled={work.redoWords === undefined}
        onClick={() => void work.redo()}
      />
      <span className={styles.rule} />
      <IconButton
        label="Arrange the blocks"
        hint={<Kbd keys="l" />}
        icon={<Network aria-hidden />}
        disabled={canvas.blocks.length < 2}
        onClick={() => void actions.arrange()}
      />
      <span className={styles.onDesk}>
        <IconButton
          label="Group what is selected"
          hint={<Kbd keys="mod+g" />}
          icon={<Group aria-hidden />}
          disabled={selected.length === 0}
          onClick={() => onRequest({ kind: 'group', codes: selected, group: null })}
        />
        <IconButton
          label="Duplicate what is selected"
          hint={<Kbd keys="mod+d" />}
          icon={<CopyPlus aria-hidden />}
          disabled={selected.length === 0}
          onClick={() => void actions.duplicate(selected)}
        />
        <IconButton
          label="Delete what is selected"
          hint={<Kbd keys="del" />}
          icon={<Trash2 aria-hidden />}
          disabled={selected.length === 0}
          onClick={() => void actions.remove(selected)}
        />
      </span>
      <span role="status" className={classNames(styles.count, styles.onDesk)}>
        {selected.length > 1 ? `${selected.length} blocks selected` : ''}
      </span>
    </>
  )
}

function Choice({ label, children }: { label: string; children: ReactNode }) {
  return (
    <span role="group" aria-label={label} className={styles.choice}>
      {children}
    </span>
  )
}
