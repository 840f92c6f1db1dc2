import { Redo2, Undo2 } from 'lucide-react'
import { IconButton } from '../../../../ui/actions/IconButton.tsx'
import { Button } from '../../../../ui/actions/Button.tsx'
import { StatusDot, type Tone } from '../../../../ui/feedback/Status.tsx'
import styles from '../setup.module.css'
import type { DraftState } from './draft-store.ts'
import { useDraft } from './use-block-draft.ts'

const SAVE_LABELS: Record<DraftState['save'], { text: string; tone: Tone }> = {
  saved: { text: 'Saved', tone: 'success' },
  waiting: { text: 'Saving…', tone: 'info' },
  saving: { text: 'Saving…', tone: 'info' },
  failed: { text: 'Not saved', tone: 'danger' },
  unfit: { text: 'Not saved yet', tone: 'warning' },
  conflict: { text: 'Changed by somebody else', tone: 'warning' },
}

export function SaveState() {
  const { save, canUndo, canRedo, store, isDisabled } = useDraft()
  if (isDisabled) return <StatusDot>Only editors can change this</StatusDot>
  const { text, tone } = SAVE_LABELS[save]
  return (
    <div className={styles.saveState}>
      <span role="status">
        <StatusDot tone={tone} isBusy={save === 'saving' || save === 'waiting'}>
          {text}
        </StatusDot>
      </span>
      {save === 'failed' && (
        <Button size="sm" onClick={() => void store.flush()}>
          Save again
        </Button>
      )}
      <IconButton
        size="sm"
        label="Undo"
        hint="Ctrl Z"
        icon={<Undo2 aria-hidden />}
        disabled={!canUndo}
        onClick={store.undo}
      />
      <IconButton
        size="sm"
        label="Redo"
        hint="Ctrl Shift Z"
        icon={<Redo2 aria-hidden />}
        disabled={!canRedo}
        onClick={store.redo}
      />
    </div>
  )
}
