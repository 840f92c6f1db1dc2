import { useQuery } from '@tanstack/react-query'
import { ArrowLeft } from 'lucide-react'
import { useMemo, useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import type { ApiError } from '../../api/api-error.ts'
import { fetchDocument } from '../../api/fetch-document.ts'
import { ButtonLink } from '../../ui/actions/Button.tsx'
import { searchRows } from '../../ui/data/table-view.ts'
import { ErrorPanel } from '../../ui/feedback/ErrorPanel.tsx'
import { Loading, Skeleton } from '../../ui/feedback/Skeleton.tsx'
import { SearchField } from '../../ui/forms/SearchField.tsx'
import styles from './api-reference.module.css'
import { Introduction } from './Introduction.tsx'
import { groupByFeature, parseOperations, toSearchText, type Operation } from './openapi.ts'
import { MethodPill, OperationDetail } from './OperationDetail.tsx'

export function Component() {
  const [params] = useSearchParams()
  const { data, error, isPending, isFetching, refetch } = useQuery<unknown, ApiError>({
    queryKey: ['openapi.json'],
    queryFn: ({ signal }) => fetchDocument('/openapi.json', signal),
    staleTime: Infinity,
  })
  const operations = useMemo(() => (data ? parseOperations(data) : []), [data])
  const selected = operations.find((operation) => operation.id === params.get('call'))
  if (error) {
    return (
      <div className={styles.failed}>
        <ErrorPanel
          title="The API reference could not be loaded"
          detail={error.message}
          reference={error.requestId}
          isRetrying={isFetching}
          onRetry={() => void refetch()}
        />
      </div>
    )
  }
  return (
    <div className={styles.reference} data-open={params.has('call')}>
      <h1 className="visually-hidden">API reference</h1>
      {isPending ? <NavSkeleton /> : <CallList operations={operations} selected={selected} />}
      <div className={styles.reader}>
        <div className={styles.back}>
          <ButtonLink variant="ghost" size="sm" to="/docs" icon={<ArrowLeft aria-hidden />}>
            All calls
          </ButtonLink>
        </div>
        {selected ? (
          <OperationDetail key={selected.id} operation={selected} />
        ) : (
          <Introduction count={operations.length} />
        )}
      </div>
    </div>
  )
}

function CallList({ operations, selected }: { operations: readonly Operation[]; selected: Operation | undefined }) {
  const [query, setQuery] = useState('')
  const groups = groupByFeature(searchRows(operations, toSearchText, query))
  return (
    <nav aria-label="Calls" className={styles.nav}>
      <div className={styles.search}>
        <SearchField label="Search calls" value={query} onChange={(event) => setQuery(event.target.value)} />
      </div>
      {groups.length === 0 && <p className={styles.none}>No call matches these words.</p>}
      {groups.map(({ feature, operations: list }) => (
        <section key={feature}>
          <h2>{feature.replaceAll('-', ' ')}</h2>
          <ul>
            {list.map((operation) => (
              <li key={operation.id}>
                <Link
                  to={`?call=${operation.id}`}
                  className={styles.call}
                  aria-current={operation === selected ? 'true' : undefined}
                >
                  <MethodPill method={operation.method} />
                  <span>{operation.summary}</span>
                </Link>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </nav>
  )
}

function NavSkeleton() {
  return (
    <Loading label="Loading the API reference" className={styles.nav}>
      <div className={styles.ghosts}>
        {['60%', '80%', '72%', '66%', '84%', '58%'].map((width) => (
          <Skeleton key={width} width={width} />
        ))}
      </div>
    </Loading>
  )
}
