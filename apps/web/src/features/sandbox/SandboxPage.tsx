import type { Sandbox } from '@trellis/contract/sandbox/sandbox.endpoints'
import { FlaskConical, RotateCcw, SquareTerminal } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { Button, ButtonLink } from '../../ui/actions/Button.tsx'
import { formatEstimate } from '../../ui/data/amounts.ts'
import { EmptyState } from '../../ui/feedback/EmptyState.tsx'
import { ErrorPanel } from '../../ui/feedback/ErrorPanel.tsx'
import { Loading, Skeleton } from '../../ui/feedback/Skeleton.tsx'
import { Card } from '../../ui/layout/Card.tsx'
import { Page, PageHeader, Stack } from '../../ui/layout/Page.tsx'
import { ConfirmDialog } from '../../ui/overlays/ConfirmDialog.tsx'
import { useCan, useCurrentWorkspace } from '../accounts/accounts.queries.ts'
import { useResetSandbox, useSandbox } from './sandbox.queries.ts'
import styles from './sandbox.module.css'

export function Component() {
  const { params, home } = useCurrentWorkspace()
  const can = useCan()
  const sandboxQuery = useSandbox(params)
  const reset = useResetSandbox()
  const [isAsking, setAsking] = useState(false)
  const canReset = can('explorer:write')
  const close = () => {
    setAsking(false)
    reset.reset()
  }
  return (
    <Page>
      <PageHeader
        title="Sandbox"
        subtitle="A schema with sample data to try SQL, dataflows and sparks in. Your own tables are not touched."
        actions={
          <>
            {can('workspace:update') && (
              <ButtonLink to={`${home}/sandbox/ai-core`} icon={<SquareTerminal aria-hidden />}>
                Model console
              </ButtonLink>
            )}
            {sandboxQuery.data?.is_ready && canReset && (
              <Button icon={<RotateCcw aria-hidden />} onClick={() => setAsking(true)}>
                Reset
              </Button>
            )}
          </>
        }
      />
      <Stack>
        {sandboxQuery.isError && !sandboxQuery.data ? (
          <ErrorPanel
            title="The sandbox could not be loaded"
            detail={sandboxQuery.error.message}
            reference={sandboxQuery.error.requestId}
            isRetrying={sandboxQuery.isFetching}
            onRetry={() => void sandboxQuery.refetch()}
          />
        ) : !sandboxQuery.data ? (
          <Loading label="Loading the sandbox">
            <Skeleton height={200} />
          </Loading>
        ) : sandboxQuery.data.is_ready ? (
          <Tables sandbox={sandboxQuery.data} home={home} />
        ) : (
          <EmptyState
            icon={<FlaskConical />}
            title="No sandbox yet"
            subtitle={
              canReset
                ? 'It gets the customers, products and orders of a small shop, and can be reset at any time.'
                : 'Somebody who may change tables can create it.'
            }
            action={
              canReset && (
                <Button variant="primary" isBusy={reset.isPending} onClick={() => reset.mutate({ params })}>
                  Create the sandbox
                </Button>
              )
            }
          />
        )}
        {reset.error && !isAsking && (
          <ErrorPanel title="The sandbox could not be created" detail={reset.error.message} />
        )}
      </Stack>
      {isAsking && (
        <ConfirmDialog
          title="Reset the sandbox?"
          confirmLabel="Reset"
          isBusy={reset.isPending}
          error={reset.error?.message}
          onClose={close}
          onConfirm={() => reset.mutate({ params }, { onSuccess: close })}
        >
          Everything in the sandbox is replaced by fresh sample data, for everybody in this workspace. What is in it now
          stays in “Recently deleted” for a while.
        </ConfirmDialog>
      )}
    </Page>
  )
}

function Tables({ sandbox, home }: { sandbox: Sandbox; home: string }) {
  const schema = `${home}/explorer/${sandbox.integration_trellis_code}/schema/${sandbox.schema_name}`
  const path = (table: string, page: 'preview' | 'query') => `${schema}/table/${encodeURIComponent(table)}/${page}`
  return (
    <Card isFlush title={`Schema ${sandbox.schema_name}`} subtitle="Write to it with SQL or choose it in a dataflow.">
      <ul className={styles.tables} aria-label="Tables of the sandbox">
        {sandbox.tables.map(({ table_name, kind, rows_estimate }) => (
          <li key={table_name}>
            <Link to={path(table_name, 'preview')}>{table_name}</Link>
            <span>{kind === 'view' ? 'view' : `${formatEstimate(rows_estimate)} rows`}</span>
            <Link to={path(table_name, 'query')}>Query</Link>
          </li>
        ))}
      </ul>
    </Card>
  )
}
