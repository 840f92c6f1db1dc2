import type { UsageDay } from '@trellis/contract/utilization/utilization.endpoints'
import { ChartNoAxesColumn } from 'lucide-react'
import { useSearchParams } from 'react-router'
import { classNames } from '../../ui/class-names.ts'
import { GIGABYTE, formatGigabytes } from '../../ui/data/gigabytes.ts'
import { EmptyState } from '../../ui/feedback/EmptyState.tsx'
import { ErrorPanel } from '../../ui/feedback/ErrorPanel.tsx'
import { Loading, Skeleton } from '../../ui/feedback/Skeleton.tsx'
import { UsageBars } from '../../ui/feedback/UsageBars.tsx'
import { Card } from '../../ui/layout/Card.tsx'
import { Page, PageHeader, Stack } from '../../ui/layout/Page.tsx'
import { useCurrentWorkspace } from '../accounts/accounts.queries.ts'
import { useUsageLines } from '../billing/billing.queries.ts'
import { DayChart } from './DayChart.tsx'
import { PERIODS, parsePeriod, toSeries, type Period } from './day-series.ts'
import { useUsageDays } from './utilization.queries.ts'
import { WorkspaceUsage } from './WorkspaceUsage.tsx'
import styles from './utilization.module.css'

const count = (value: number) => value.toLocaleString('en-US')

export function Component() {
  const { account, workspace } = useCurrentWorkspace()
  const [params, setParams] = useSearchParams()
  const period = parsePeriod(params.get('days'))
  const days = useUsageDays(account.trellis_code, period)
  return (
    <Page>
      <PageHeader
        title="Utilization"
        subtitle={`Usage of the workspace ${workspace.name} and of the whole account ${account.name}.`}
        actions={
          <PeriodChoice period={period} onChange={(next) => setParams({ days: String(next) }, { replace: true })} />
        }
      />
      <Stack>
        <NowCard accountCode={account.trellis_code} />
        <h2 className={styles.section}>{workspace.name}</h2>
        <WorkspaceUsage period={period} />
        <h2 className={styles.section}>{`All workspaces of ${account.name}`}</h2>
        {days.isError ? (
          <ErrorPanel
            title="The usage over time could not be loaded"
            detail={days.error.message}
            reference={days.error.requestId}
            isRetrying={days.isFetching}
            onRetry={() => void days.refetch()}
          />
        ) : days.isPending ? (
          <ChartSkeletons />
        ) : days.data.length === 0 ? (
          <EmptyState
            icon={<ChartNoAxesColumn />}
            title="No usage over time yet"
            subtitle="The first chart appears within the hour."
          />
        ) : (
          <Charts days={days.data} />
        )}
      </Stack>
    </Page>
  )
}

function NowCard({ accountCode }: { accountCode: string }) {
  const usage = useUsageLines(accountCode)
  if (usage.isError) {
    return (
      <ErrorPanel
        title="Could not load utilization details."
        detail={usage.error.message}
        reference={usage.error.requestId}
        isRetrying={usage.isFetching}
        onRetry={() => void usage.refetch()}
      />
    )
  }
  return (
    <Card title="Now">
      {usage.isPending ? (
        <Loading label="Loading utilization details" className={styles.ghosts}>
          <Skeleton width="60%" />
          <Skeleton height={6} />
          <Skeleton width="48%" />
          <Skeleton height={6} />
        </Loading>
      ) : (
        <UsageBars lines={usage.data} />
      )}
    </Card>
  )
}

function Charts({ days }: { days: readonly UsageDay[] }) {
  return (
    <div className={styles.charts}>
      <DayChart
        title="Credits spent"
        kind="bars"
        points={toSeries(days, 'credits_spent')}
        format={count}
        colour="var(--chart-0)"
      />
      <DayChart
        title="Database storage"
        kind="line"
        points={toSeries(days, 'storage_bytes')}
        format={formatGigabytes}
        unit={GIGABYTE}
        colour="var(--chart-1)"
      />
      <DayChart
        title="User seats"
        kind="line"
        points={toSeries(days, 'users')}
        format={count}
        colour="var(--chart-2)"
      />
      <DayChart
        title="Workspaces"
        kind="line"
        points={toSeries(days, 'workspaces')}
        format={count}
        colour="var(--chart-5)"
      />
    </div>
  )
}

function PeriodChoice({ period, onChange }: { period: Period; onChange: (period: Period) => void }) {
  return (
    <div className={styles.periods} role="group" aria-label="Period">
      {PERIODS.map((days) => (
        <button
          key={days}
          type="button"
          className={classNames(styles.period)}
          aria-pressed={days === period}
          onClick={() => onChange(days)}
        >
          {days === 1 ? '24 hours' : `${days} days`}
        </button>
      ))}
    </div>
  )
}

function ChartSkeletons() {
  return (
    <Loading label="Loading the use over time" className={styles.charts}>
      {['a', 'b', 'c', 'd'].map((key) => (
        <Card key={key} title="Over time">
          <Skeleton height={204} />
        </Card>
      ))}
    </Loading>
  )
}
