import { lazy, Suspense, useState } from 'react'
import { Link } from 'react-router'
import { IntroBanner } from '../../../app/intro/IntroBanner.tsx'
import { formatBytes, wholeNumber } from '../../../ui/data/amounts.ts'
import { Banner } from '../../../ui/feedback/Banner.tsx'
import { ErrorPanel } from '../../../ui/feedback/ErrorPanel.tsx'
import { Loading, Skeleton } from '../../../ui/feedback/Skeleton.tsx'
import { UsageBars } from '../../../ui/feedback/UsageBars.tsx'
import { Card } from '../../../ui/layout/Card.tsx'
import { Page, PageHeader, Stack } from '../../../ui/layout/Page.tsx'
import { useCurrentWorkspace } from '../../accounts/accounts.queries.ts'
import { fullName, useProfile } from '../../profile/profile.queries.ts'
import { AskField } from './AskField.tsx'
import styles from './dashboard.module.css'
import { useDashboard } from './dashboard.queries.ts'
import { clearFirstVisit, isFirstVisit } from './first-visit.ts'
import { FailuresCard, RecentRunsCard } from './FlowRunCards.tsx'
import { FreshnessCard } from './FreshnessCard.tsx'
import { GettingStarted } from './GettingStarted.tsx'
import { HealthCard, NextRunsCard } from './HealthCard.tsx'
import { RecentCard } from './RecentCard.tsx'
import { TileGhosts } from './tiles/TileGhosts.tsx'
import { useHomeScope } from './use-home-scope.ts'
import { planName } from '../role-names.ts'

const SparkTiles = lazy(() => import('./tiles/SparkTiles.tsx'))
const WorkspaceFacts = lazy(() => import('./WorkspaceFacts.tsx'))

export function Component() {
  const { account, workspace } = useCurrentWorkspace()
  const code = account.trellis_code
  return (
    <Page>
      <PageHeader title={workspace.name} subtitle={`${account.name} · ${planName(account.account_type)} plan`} />
      <Stack>
        <AskField root={`/${code}/${workspace.workspace_address}`} />
        <FirstVisit accountCode={code} name={workspace.name} />
        <Overview />
        <Suspense>
          <WorkspaceFacts />
        </Suspense>
        <IntroBanner storageKey="dashboard" />
      </Stack>
    </Page>
  )
}

function Overview() {
  const { params } = useCurrentWorkspace()
  const dashboardQuery = useDashboard(params)
  const scope = useHomeScope(dashboardQuery.data?.managed_database ?? '')
  if (dashboardQuery.isError && !dashboardQuery.data) {
    return (
      <ErrorPanel
        title="The overview could not be loaded"
        detail={dashboardQuery.error.message}
        reference={dashboardQuery.error.requestId}
        isRetrying={dashboardQuery.isFetching}
        onRetry={() => void dashboardQuery.refetch()}
      />
    )
  }
  if (!dashboardQuery.data) {
    return (
      <Loading label="Loading the overview" className={styles.ghosts}>
        <Skeleton height={120} />
        <Skeleton height={220} />
      </Loading>
    )
  }
  const { dataflows, storage, credits } = dashboardQuery.data
  return (
    <>
      <GettingStarted dashboard={dashboardQuery.data} scope={scope} />
      {dashboardQuery.data.sparks.length > 0 && (
        <Suspense fallback={<TileGhosts dashboard={dashboardQuery.data} />}>
          <SparkTiles root={scope.root} />
        </Suspense>
      )}
      <div className={styles.grid}>
        <Stack>
          <HealthCard health={dataflows} scope={scope} />
          {dataflows.dataflow_count > 0 && (
            <>
              <RecentRunsCard runs={dashboardQuery.data.recent_flow_runs} scope={scope} />
              <FailuresCard failures={dataflows.failures} scope={scope} />
            </>
          )}
          <FreshnessCard health={dataflows} scope={scope} />
        </Stack>
        <Stack>
          <RecentCard dashboard={dashboardQuery.data} scope={scope} />
          {dataflows.dataflow_count > 0 && <NextRunsCard due={dataflows.next_due} scope={scope} />}
          <Card title="Usage" actions={<Link to={`${scope.root}/utilization`}>Details</Link>}>
            <UsageBars
              lines={[
                {
                  key: 'storage',
                  label: 'Storage of the account',
                  used: storage.used_bytes,
                  limit: storage.limit_bytes,
                  format: formatBytes,
                },
                {
                  key: 'credits',
                  label: 'AI credits used',
                  used: credits.available - credits.remaining,
                  limit: credits.available,
                  format: wholeNumber,
                  none: 'None in this plan',
                },
              ]}
            />
          </Card>
        </Stack>
      </div>
    </>
  )
}

function FirstVisit({ accountCode, name }: { accountCode: string; name: string }) {
  const profile = useProfile()
  const [isShown, setShown] = useState(() => isFirstVisit(accountCode))
  if (!isShown) return null
  const dismiss = () => {
    clearFirstVisit(accountCode)
    setShown(false)
  }
  return (
    <Banner tone="success" title={`${name} is yours, ${fullName(profile)}`} onDismiss={dismiss}>
      Its database is ready. Bring in a file under Explorer, invite the people you work with, or make a token for your
      own programs.
    </Banner>
  )
}
