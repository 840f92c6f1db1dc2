import { Fragment } from 'react'
import { Kbd } from '../../ui/data/Kbd.tsx'
import { Dialog } from '../../ui/overlays/Dialog.tsx'
import { listPageActions } from '../palette/page-actions.ts'
import { helpAreas, homeAreas, workspaceAreas } from './areas.ts'
import styles from './shell.module.css'
import { SHORTCUTS } from './shortcuts.ts'

export function KeyboardHelp({ onClose }: { onClose: () => void }) {
  const jumps = [...homeAreas, ...workspaceAreas, ...helpAreas].filter((area) => area.letter !== undefined)
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose}>
      <dl className={styles.keysList}>
        {listPageActions().map(
          ({ id, title, keys }) =>
            keys !== undefined && (
              <Fragment key={id}>
                <dt>{title}</dt>
                <dd>
                  <Kbd keys={keys} />
                </dd>
              </Fragment>
            ),
        )}
        {SHORTCUTS.map(({ keys, text }) => (
          <Fragment key={keys}>
            <dt>{text}</dt>
            <dd>
              <Kbd keys={keys} />
            </dd>
          </Fragment>
        ))}
        {jumps.map(({ title, letter = '' }) => (
          <Fragment key={title}>
            <dt>Go to {title}</dt>
            <dd>
              <Kbd keys="g" /> then <Kbd keys={letter} />
            </dd>
          </Fragment>
        ))}
      </dl>
    </Dialog>
  )
}
