import styles from '../integrations.module.css'

export function ConnectPicture() {
  return (
    <svg className={styles.picture} viewBox="0 0 240 120" fill="none">
      <path d="M62 28C110 28 118 60 156 60M62 60h94M62 92c48 0 56-32 94-32" />
      <g className={styles.pictureBox}>
        <rect x="24" y="14" width="38" height="28" rx="6" />
        <rect x="24" y="46" width="38" height="28" rx="6" />
        <rect x="24" y="78" width="38" height="28" rx="6" />
      </g>
      <g className={styles.pictureMark}>
        <path d="M34 24h18M34 32h12" />
        <circle cx="43" cy="60" r="6" />
        <path d="M36 98v-6M43 98V86M50 98v-9" />
      </g>
      <g className={styles.pictureMain}>
        <path d="M156 42c0-5 11-9 24-9s24 4 24 9v36c0 5-11 9-24 9s-24-4-24-9z" />
        <path d="M156 42c0 5 11 9 24 9s24-4 24-9M156 60c0 5 11 9 24 9s24-4 24-9" />
      </g>
    </svg>
  )
}
