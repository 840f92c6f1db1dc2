import type { TriggerStatus } from '@trellis/contract/runs/trigger-status.schemas'
import { Check, CircleDashed } from 'lucide-react'
import { formatCount } from '../../ui/data/amounts.ts'
import { DateTime } from '../../ui/data/DateTime.tsx'
import { Banner } from '../../ui/feedback/Banner.tsx'
import { Badge } from '../../ui/feedback/Status.tsx'
import styles from '../running.module.css'
import own from './triggers.module.css'

export function TriggerExplainer({ status }: { status: TriggerStatus }) {
  const { last_tick: tick } = status
  return (
    <>
      <p className={own.words}>{status.in_words}</p>
      {!status.is_published && (
        <Banner tone="warning" title="Not published">
          What is set up here starts to count when the block is published.
        </Banner>
      )}
      {status.branches.length > 0 && (
        <section>
          <h3>{formatHeading(status)}</h3>
          <ul className={styles.lines} aria-label="What it waits for">
            {status.branches.map((branch) => (
              <BranchLine key={branch.action_id} branch={branch} />
            ))}
          </ul>
        </section>
      )}
      {tick && (
        <section>
          <h3>The last due time</h3>
          <Banner
            tone={tick.has_fired ? 'success' : 'info'}
            title={tick.has_fired ? 'It became a run' : 'It did not become a run'}
          >
            <DateTime value={tick.nominal_at} />. {tick.in_words}
          </Banner>
        </section>
      )}
      <section>
        <h3>Next due times</h3>
        {status.next_due.length === 0 ? (
          <p className={styles.quiet}>No schedule: nothing is due by the clock.</p>
        ) : (
          <ol className={own.due}>
            {status.next_due.map((due) => (
              <li key={due.at}>
                <time dateTime={due.at}>{due.local}</time> <span className={styles.quiet}>{due.offset}</span>
                <span>{due.in_words}</span>
              </li>
            ))}
          </ol>
        )}
      </section>
    </>
  )
}

function BranchLine({ branch }: { branch: TriggerStatus['branches'][number] }) {
  const { has_arrived: hasCome } = branch
  return (
    <li className={own.branch}>
      {hasCome ? <Check aria-hidden className={styles.good} /> : <CircleDashed aria-hidden className={styles.quiet} />}
      <div>
        <div className={styles.lineHead}>
          <span>{branch.label}</span>
          <Badge tone={hasCome ? 'success' : 'neutral'}>{hasCome ? 'Has come' : 'Missing'}</Badge>
        </div>
        {branch.since && (
          <span className={styles.quiet}>
            {hasCome ? 'Came ' : 'Waited for since '}
            <DateTime value={branch.since} />
          </span>
        )}
        {branch.waiting > 1 && (
          <span className={styles.quiet}> · {formatCount(branch.waiting, 'event')} wait to be used</span>
        )}
      </div>
    </li>
  )
}

function formatHeading({ scope, branches }: TriggerStatus): string {
  if (scope === 'Or') return 'Any one of these starts it'
  const missing = branches.filter(({ has_arrived }) => !has_arrived).length
  if (missing === 0) return 'Everything has come'
  return `${missing} of ${branches.length} ${missing === 1 ? 'is' : 'are'} missing`
}
