import styles from './picture.module.css'

const DAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']
const HEIGHTS = [38, 46, 41, 57, 66, 84, 74]
const BASE = 142
const STEP = 52

export function AnswerCard() {
  return (
    <g transform="translate(236 320)">
      <rect className={styles.card} width="412" height="196" rx="12" />
      <circle className={styles.spark} cx="22" cy="24" r="4" />
      <text className={styles.title} x="36" y="28">
        Which day brought in the most last week?
      </text>
      {HEIGHTS.map((height, day) => (
        <g key={DAYS[day]} transform={`translate(${29 + day * STEP} 0)`}>
          <rect
            className={day === 5 ? styles.bestBar : styles.bar}
            x="8"
            y={BASE - height}
            width="26"
            height={height}
            rx="4"
          />
          <text className={styles.axis} x="21" y={BASE + 18} textAnchor="middle">
            {DAYS[day]}
          </text>
        </g>
      ))}
      <path className={styles.rule} d={`M24 ${BASE}.5h364`} />
      <text className={styles.note} x="22" y="181">
        Saturday, 18% above the week before · 48,210 rows · 0.4 s
      </text>
    </g>
  )
}
