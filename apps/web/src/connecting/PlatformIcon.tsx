import { classNames } from '../ui/class-names.ts'
import styles from './connecting.module.css'

/** Server-sent SVG: as an `img` it cannot run scripts or load anything. */
export function PlatformIcon({ icon, size = 'md' }: { icon: string; size?: 'sm' | 'md' | 'lg' }) {
  return (
    <span className={classNames(styles.icon)} data-size={size}>
      <img alt="" src={`data:image/svg+xml,${encodeURIComponent(icon)}`} />
    </span>
  )
}
