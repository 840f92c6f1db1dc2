import { Check, TriangleAlert } from 'lucide-react'
import { useId, type ReactNode } from 'react'
import { findPageSetting } from '../../../app/page-setting.ts'
import { Banner } from '../../../ui/feedback/Banner.tsx'
import { Loading, Skeleton } from '../../../ui/feedback/Skeleton.tsx'
import { Page } from '../../../ui/layout/Page.tsx'
import { BLOCKED_TEXT, BLOCKED_TITLE } from './plan-choice.ts'
import { PLAN_NAMES, type PlanOffer } from './plan-offer.ts'
import styles from './plans.module.css'

function SandboxNote() {
  if (findPageSetting('payment-sandbox') === undefined) return null
  return (
    <Banner title="Payments are in test mode">
      No payment provider is set up, so a built-in sandbox is used. Nothing is charged, whatever card you enter.
    </Banner>
  )
}

export function PlanPage({ children }: { children: ReactNode }) {
  return (
    <Page>
      <div className={styles.area}>{children}</div>
    </Page>
  )
}

export function PlanRow({ children }: { children: ReactNode }) {
  return (
    <div className={styles.offers}>
      <SandboxNote />
      <div className={styles.row}>{children}</div>
    </div>
  )
}

export function PlanCard({
  offer,
  action,
  badge,
  exceededLimits = [],
  wayOut,
}: {
  offer: PlanOffer
  action: ReactNode
  badge?: ReactNode
  exceededLimits?: readonly string[]
  wayOut?: ReactNode
}) {
  const id = useId()
  return (
    <div className={styles.place}>
      <section className={styles.card} aria-labelledby={id} data-main={offer.plan === 'team'}>
        <div className={styles.name}>
          <h2 id={id}>{offer.label}</h2>
          {badge}
        </div>
        <p className={styles.pitch}>{offer.pitch}</p>
        <p className={styles.price}>
          <strong>{offer.price}</strong>
          {offer.per && <span>{offer.per}</span>}
        </p>
        <ul className={styles.features}>
          {offer.features.map((feature) => (
            <li key={feature}>
              <Check aria-hidden />
              {feature}
            </li>
          ))}
        </ul>
        <div className={styles.action}>{action}</div>
      </section>
      {exceededLimits.length > 0 && <Blocked lines={exceededLimits} wayOut={wayOut} />}
    </div>
  )
}

function Blocked({ lines, wayOut }: { lines: readonly string[]; wayOut: ReactNode }) {
  return (
    <div className={styles.blocked} role="note">
      <TriangleAlert aria-hidden />
      <div>
        <strong>{BLOCKED_TITLE}</strong>
        <p>{BLOCKED_TEXT}</p>
        <ul>
          {lines.map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
        {wayOut && <div className={styles.wayOut}>{wayOut}</div>}
      </div>
    </div>
  )
}

export function PlanPlaceholders() {
  return (
    <Loading label="Loading plans" className={styles.row}>
      {PLAN_NAMES.map((plan) => (
        <div key={plan} className={styles.card} data-testid="plan-placeholder">
          <Skeleton width={72} height={18} />
          <Skeleton width="80%" />
          <Skeleton width={120} height={30} />
          <span className={styles.ghosts}>
            {['62%', '70%', '74%', '66%', '72%', '84%'].map((width) => (
              <Skeleton key={width} width={width} />
            ))}
          </span>
          <Skeleton height={32} />
        </div>
      ))}
    </Loading>
  )
}
