import styles from './list.module.css'

export function FlowPicture() {
  return (
    <svg className={styles.picture} viewBox="0 0 240 112" fill="none">
      <path d="M66 30c24 0 20 26 42 26M66 82c24 0 20-26 42-26M156 56h30" />
      <path className={styles.pictureHead} d="m102 51 6 5-6 5M180 51l6 5-6 5" />
      <g className={styles.pictureBox}>
        <rect x="18" y="14" width="48" height="32" rx="7" />
        <rect x="18" y="66" width="48" height="32" rx="7" />
        <rect x="186" y="40" width="36" height="32" rx="7" />
      </g>
      <rect className={styles.pictureMain} x="108" y="38" width="48" height="36" rx="7" />
      <g className={styles.pictureMark}>
        <path d="M28 26h12M28 34h20M28 78h18M28 86h10M196 52h16M196 60h10" />
      </g>
    </svg>
  )
}
