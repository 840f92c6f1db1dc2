import styles from './data.module.css'
import { keyLabels } from './key-labels.ts'

/** `mod+k` is drawn as the platform writes it. */
export function Kbd({ keys }: { keys: string }) {
  return (
    <span className={styles.keys}>
      {keyLabels(keys, isApple()).map((key) => (
        <kbd key={key}>{key}</kbd>
      ))}
    </span>
  )
}

function isApple(): boolean {
  return /mac|iphone|ipad/i.test(navigator.platform)
}
