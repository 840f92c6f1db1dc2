import { Fragment } from 'react'
import { Kbd } from '../../../../ui/data/Kbd.tsx'
import { Dialog } from '../../../../ui/overlays/Dialog.tsx'
import styles from './dialogs.module.css'

const KEYS: readonly (readonly [text: string, ...keys: string[]])[] = [
  ['Next block, previous block', 'tab', 'shift+tab'],
  ['First block, last block', 'home', 'end'],
  ['Along the arrows', 'alt+←', 'alt+→'],
  ['Select or leave out', 'space'],
  ['Select all, none', 'mod+a', 'esc'],
  ['Set up the block; fold the group', 'enter'],
  ['All actions for the block', 'shift+f10'],
  ['Move, or farther', '←', 'shift+←'],
  ['Add a block', '+'],
  ['Draw or take away arrows', 'c'],
  ['Rename, note', 'f2', 'n'],
  ['Group', 'mod+g'],
  ['Copy, paste, duplicate', 'mod+c', 'mod+v', 'mod+d'],
  ['Delete', 'del'],
  ['Undo, redo', 'mod+z', 'mod+y'],
  ['Arrange, show everything', 'l', 'f'],
]

export default function ShortcutsDialog({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title="Keys of the canvas" size="md" onClose={onClose}>
      <dl className={styles.keys}>
        {KEYS.map(([text, ...keys]) => (
          <Fragment key={text}>
            <dt>{text}</dt>
            <dd>
              {keys.map((item) => (
                <Kbd key={item} keys={item} />
              ))}
            </dd>
          </Fragment>
        ))}
      </dl>
      <p className={styles.lead}>
        With the mouse: drag to pan, Shift and drag to select several, wheel to zoom, drag from the dot at a block’s
        right to draw an arrow.
      </p>
    </Dialog>
  )
}
