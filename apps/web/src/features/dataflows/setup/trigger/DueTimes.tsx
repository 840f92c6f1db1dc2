import type { ScheduleValue } from '@trellis/contract/dataflows/schedules'
import { useSettled } from '../../../../ui/data/use-settled.ts'
import { Skeleton } from '../../../../ui/feedback/Skeleton.tsx'
import { useDueTimes } from '../setup.queries.ts'
import styles from './trigger.module.css'

const SETTLES_MS = 350

export function DueTimes({ schedule }: { schedule: ScheduleValue }) {
  const due = useDueTimes(useSettled(schedule, SETTLES_MS))
  if (due.error) {
    return <p className={styles.soft}>The next due times could not be worked out: {due.error.message}</p>
  }
  if (!due.data) return <Skeleton height={64} />
  const { in_words, next_due, end } = due.data
  return (
    <>
      <p className={styles.inWords}>{in_words}</p>
      {next_due.length > 0 && (
        <ol className={styles.times} aria-label="Next due times" aria-busy={due.isPlaceholderData}>
          {next_due.map((time) => (
            <li key={time.at}>
              <time dateTime={time.at}>{time.in_words}</time>
              {!time.in_words.includes(time.offset) && <span className={styles.offset}> {time.offset}</span>}
            </li>
          ))}
        </ol>
      )}
      {end && <p className={styles.soft}>{end}</p>}
    </>
  )
}
