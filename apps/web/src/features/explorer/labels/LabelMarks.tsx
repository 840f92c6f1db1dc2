import type { Label } from '@trellis/contract/explorer/explorer.schemas'
import styles from './labels.module.css'

export function LabelDot({ color }: { color: string }) {
  return <span aria-hidden className={styles.dot} data-color={color} />
}

export function LabelDots({ labels }: { labels: readonly Label[] }) {
  if (labels.length === 0) return null
  const names = labels.map((label) => label.name).join(', ')
  return (
    <span className={styles.dots} title={names}>
      {labels.slice(0, 4).map((label) => (
        <LabelDot key={label.id} color={label.color} />
      ))}
      <span className="visually-hidden"> Labels: {names}</span>
    </span>
  )
}

export function LabelChip({ label }: { label: Label }) {
  return (
    <span className={styles.chip}>
      <LabelDot color={label.color} />
      {label.name}
    </span>
  )
}
