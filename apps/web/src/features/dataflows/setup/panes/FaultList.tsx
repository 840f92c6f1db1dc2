import { CircleAlert, CircleDashed } from 'lucide-react'
import { formatCount } from '../../../../ui/data/amounts.ts'
import { useDraft, type Fault } from '../draft/use-block-draft.ts'
import styles from './panes.module.css'
import { describePath } from '../versions/setting-labels.ts'

export function FaultList({ onGo }: { onGo: (fault: Fault) => void }) {
  const { faults } = useDraft()
  if (faults.length === 0) return null
  const missing = faults.filter(({ kind }) => kind === 'missing').length
  const wrong = faults.length - missing
  const head = [
    missing > 0 && `${formatCount(missing, 'required setting')} missing`,
    wrong > 0 && `${formatCount(wrong, 'problem')} to fix`,
  ]
  return (
    <section className={styles.faults} aria-label="Problems" id="faults">
      <h2>{head.filter(Boolean).join(', ')}</h2>
      <ul>
        {faults.map((fault, index) => (
          <li key={`${fault.path} ${index}`} data-kind={fault.kind}>
            {fault.kind === 'missing' ? <CircleDashed aria-label="Missing" /> : <CircleAlert aria-label="Wrong" />}
            <button type="button" className={styles.link} onClick={() => onGo(fault)}>
              {fault.message}
            </button>
            <small>{describePath(fault.path.replace(/(query)\..*$/, '$1'))}</small>
          </li>
        ))}
      </ul>
    </section>
  )
}
