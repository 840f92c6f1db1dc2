import { encode } from 'uqr'
import styles from './profile.module.css'
import { qrPath } from './qr-path.ts'

/** Dark on white in both themes: many cameras cannot read inverted codes. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const { data, size } = encode(text, { border: 2 })
  return (
    <svg
      viewBox={`0 0 ${size} ${size}`}
      role="img"
      aria-label={label}
      className={styles.qr}
      shapeRendering="crispEdges"
    >
      <path d={qrPath(data)} fill="#000" />
    </svg>
  )
}
