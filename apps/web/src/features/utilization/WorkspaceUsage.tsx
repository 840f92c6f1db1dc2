import type { WorkspaceUtilization } from '@trellis/contract/utilization/utilization.endpoints'
import { ChartNoAxesColumn, Download } from 'lucide-react'
import { Link } from 'react-router'
import { saveBlob } from '../../api/save-file.ts'
import { Button } from '../../ui/actions/Button.tsx'
import { formatBytes, shortCount, wholeNumber } from '../../ui/data/amounts.ts'
import { formatDuration } from '../../ui/data/durations.ts'
import { GIGABYTE, formatGigabytes } from '../../ui/data/gigabytes.ts'
import { EmptyState } from '../../ui/feedback/EmptyState.tsx'
import { ErrorPanel } from '../../ui/feedback/ErrorPanel.tsx'
import { Loading, Skeleton } from '../../ui/feedback/Skeleton.tsx'
import { Card } from '../../ui/layout/Card.tsx'
import { useCurrentWorkspace } from '../accounts/accounts.queries.ts'
import { DayChart } from './DayChart.tsx'
import type { Period } from './day-series.ts'
import { PeopleCard, ProjectsCard, SchemasCard, TablesCard } from './UsageCards.tsx'
import { useWorkspaceUtilization } from './utilization.queries.ts'
import styles from './utilization.module.css'
import { describeForecast, toPoints, toUsageCsv } from './workspace-usage.ts'

const MEGABYTE = 1024 ** 2
const MINUTE = 60

const BARS = [
  { measure: 'rows_moved', title: 'Rows moved by dataflows', format: shortCount, colour: 'var(--chart-2)' },
  {
    measure: 'run_seconds',
    title: 'Run time of dataflows',
    format: (seconds: number) => formatDuration(seconds * 1000),
    unit: MINUTE,
    colour: 'var(--chart-3)',
  },
  { measure: 'queries', title: 'Queries', format: wholeNumber, colour: 'var(--chart-4)' },
  { measure: 'credits_spent', title: 'Credits', format: wholeNumber, colour: 'var(--chart-0)' },
] as const

export function WorkspaceUsage({ period }: { period: Period }) {
  const { workspace } = useCurrentWorkspace()
  const workspaceUtilizationQuery = useWorkspaceUtilization(workspace, period)
  if (workspaceUtilizationQuery.isError && !workspaceUtilizationQuery.data) {
    return (
      <ErrorPanel
        title="The use of this workspace could not be loaded"
        detail={workspaceUtilizationQuery.error.message}
        reference={workspaceUtilizationQuery.error.requestId}
        isRetrying={workspaceUtilizationQuery.isFetching}
        onRetry={() => void workspaceUtilizationQuery.refetch()}
      />
    )
  }
  if (!workspaceUtilizationQuery.data) {
    return (
      <Loading label="Loading the use of this workspace" className={styles.charts}>
        {['a', 'b', 'c', 'd'].map((key) => (
          <Skeleton key={key} height={240} />
        ))}
      </Loading>
    )
  }
  if (workspaceUtilizationQuery.data.points.length === 0) {
    return (
      <EmptyState
        icon={<ChartNoAxesColumn />}
        title="Not measured yet"
        subtitle="A workspace is measured every ten minutes. Come back in a moment."
      />
    )
  }
  return <Measured usage={workspaceUtilizationQuery.data} />
}

function Measured({ usage }: { usage: WorkspaceUtilization }) {
  const { params, home } = useCurrentWorkspace()
  const save = () =>
    saveBlob(new Blob([toUsageCsv(usage)], { type: 'text/csv' }), `utilization-${params.workspace_address}.csv`)
  const isLarge = usage.points.some((point) => point.storage_bytes >= GIGABYTE)
  return (
    <>
      <div className={styles.charts}>
        <DayChart
          title="Storage"
          kind="line"
          points={toPoints(usage, 'storage_bytes')}
          format={isLarge ? formatGigabytes : formatBytes}
          unit={isLarge ? GIGABYTE : MEGABYTE}
          colour="var(--chart-1)"
        />
        {BARS.map(({ measure, ...chart }) => (
          <DayChart key={measure} kind="bars" points={toPoints(usage, measure)} {...chart} />
        ))}
        <Card title="Storage and the plan">
          <p className={styles.foot}>{describeForecast(usage.storage)}</p>
          <div className={styles.footActions}>
            <Button size="sm" icon={<Download aria-hidden />} onClick={save}>
              Export as CSV
            </Button>
            <Link to={`${home}/explorer`}>Look after tables</Link>
          </div>
        </Card>
      </div>
      <div className={styles.charts}>
        <SchemasCard schemas={usage.schemas} />
        <PeopleCard people={usage.people} />
        <ProjectsCard projects={usage.projects} />
      </div>
      <TablesCard tables={usage.tables} />
    </>
  )
}
