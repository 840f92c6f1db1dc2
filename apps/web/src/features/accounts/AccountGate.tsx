import { isPlanOver } from '@trellis/contract/billing/plans'
import { useEffect, useRef, useState } from 'react'
import { Navigate, Outlet, useLocation, useParams } from 'react-router'
import { AccessEndedPage, ErrorPage, NotFoundPage } from '../../app/errors/ErrorPage.tsx'
import { parsePath } from '../../app/router-paths.ts'
import { ButtonLink } from '../../ui/actions/Button.tsx'
import { Banner } from '../../ui/feedback/Banner.tsx'
import { Loading, Skeleton } from '../../ui/feedback/Skeleton.tsx'
import { Page, Stack } from '../../ui/layout/Page.tsx'
import { useAccounts, useCachedAccounts } from './accounts.queries.ts'
import styles from './accounts.module.css'

/** Only for members, and only while the account's plan is active. */
export function Component() {
  const { account: code } = useParams()
  const { pathname } = useLocation()
  const { data, dataUpdatedAt, isFetching, isError, error, refetch } = useAccounts()
  const cachedAccount = useCachedAccounts().find((candidate) => candidate.trellis_code === code)
  const fresh = data?.find((candidate) => candidate.trellis_code === code)
  const openedAt = useRef(Date.now())
  const [entered, setEntered] = useState(cachedAccount)
  if (cachedAccount && cachedAccount.trellis_code !== entered?.trellis_code) setEntered(cachedAccount)

  // The list may be older than an accepted invite: refetch once before "not found".
  const isOutdated = data !== undefined && fresh === undefined && dataUpdatedAt < openedAt.current
  useEffect(() => {
    if (isOutdated) void refetch()
  }, [isOutdated, refetch])

  if (fresh && isPlanOver(fresh, new Date())) {
    const state = { account: fresh.trellis_code }
    // Reading and exporting stay allowed after the plan ends.
    if (parsePath(pathname).rest[0] !== 'explorer') return <Navigate to="/deactivated-account" state={state} replace />
    return (
      <>
        <ExpiredBanner state={state} />
        <Outlet />
      </>
    )
  }
  if (cachedAccount) return <Outlet />
  if (isError) return <ErrorPage detail={error.detail} reference={error.requestId} onRetry={() => void refetch()} />
  if (isFetching || isOutdated || data === undefined) return <GateSkeleton />
  return entered && entered.trellis_code === code ? <AccessEndedPage name={entered.name} /> : <NotFoundPage />
}

function ExpiredBanner({ state }: { state: { account: string } }) {
  return (
    <div className={styles.expired}>
      <Banner
        tone="warning"
        title="Plan expired"
        action={
          <ButtonLink size="sm" to="/deactivated-account" state={state}>
            Back to the account
          </ButtonLink>
        }
      >
        You can read, export and delete. Loads, schedules and changes wait until the plan is reactivated.
      </Banner>
    </div>
  )
}

function GateSkeleton() {
  return (
    <Page>
      <Loading label="Loading the account">
        <Stack>
          <Skeleton width={220} height={24} />
          <Skeleton height={120} />
        </Stack>
      </Loading>
    </Page>
  )
}
