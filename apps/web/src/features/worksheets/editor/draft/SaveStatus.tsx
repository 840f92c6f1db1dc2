import { type Observable, useObservable } from '../../../../ui/data/observable.ts'
import styles from '../editor.module.css'
import type { SaveState } from './draft-saver.ts'

const SAVE_LABELS: Record<SaveState, string> = {
  saved: 'Draft saved',
  unsaved: 'Saving…',
  saving: 'Saving…',
  offline: 'Not saved yet. Trying again…',
  conflict: 'Changed in another tab',
}

export function SaveStatus({ state }: { state: Observable<SaveState> }) {
  const now = useObservable(state)
  return (
    <span role="status" data-state={now} className={styles.saved}>
      {SAVE_LABELS[now]}
    </span>
  )
}
