import { classNames } from '../ui/class-names.ts'
import styles from './connecting.module.css'

/** A drawing the server sends; as a picture it can run nothing and reach nothing. */
export function PlatformIcon({ icon, size = 'md' }: { icon: string; size?: 'sm' | 'md' | 'lg' }) {
  return (
    <span className={classNames(styles.icon)} data-size={size}>
      <img alt="" src={`data:image/svg+xml,${encodeURIComponent(icon)}`} />
    </span>
  )
}
