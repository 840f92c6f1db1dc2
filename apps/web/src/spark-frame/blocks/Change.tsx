import { formatValue } from '@trellis/contract/charts/format-value'
import styles from '../kit.module.css'

/** A sign and a word beside the colour; no judgement, since up is not always good. */
export function Change({ share }: { share: number | null }) {
  if (share === null) return null
  const text = formatValue(Math.abs(share), { style: 'percent', decimals: 1, prefix: '', suffix: '' })
  const word = share > 0 ? 'up' : share < 0 ? 'down' : 'unchanged'
  return (
    <span className={styles.change} data-change={word}>
      <span aria-hidden>{share > 0 ? '▲' : share < 0 ? '▼' : '='}</span> {text}
      <span className="visually-hidden"> {word}</span>
    </span>
  )
}
