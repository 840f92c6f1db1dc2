import type { ActivityKind } from '@trellis/contract/dataflows/dataflow-words'
import { DatabaseZap, Send, Shuffle } from 'lucide-react'
import styles from './block.module.css'

const ICONS = { Source: DatabaseZap, Transformation: Shuffle, Destination: Send }

/** Server-sent SVG: as an `img` it cannot run scripts or load anything. */
export function KindIcon({ kind, icon }: { kind: ActivityKind; icon: string | null }) {
  const Icon = ICONS[kind]
  return (
    <span className={styles.icon} data-kind={kind}>
      {icon === null ? (
        <Icon aria-hidden />
      ) : (
        <img alt="" draggable={false} src={`data:image/svg+xml,${encodeURIComponent(icon)}`} />
      )}
    </span>
  )
}
