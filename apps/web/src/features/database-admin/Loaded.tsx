import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { ApiError } from '../../api/api-error.ts'
import { ErrorPanel } from '../../ui/feedback/ErrorPanel.tsx'
import { Loading, Skeleton } from '../../ui/feedback/Skeleton.tsx'
import styles from './database-admin.module.css'

interface LoadedProps<T> {
  query: UseQueryResult<T, ApiError>
  /** `The roles`, as it begins a sentence. */
  what: string
  children: (data: T) => ReactNode
}

/** The three states of an answer: on its way, failed, there. */
export function Loaded<T>({ query, what, children }: LoadedProps<T>) {
  if (query.data !== undefined) return children(query.data)
  if (query.isError) {
    return (
      <ErrorPanel
        title={`${what} could not be loaded`}
        detail={query.error.message}
        reference={query.error.requestId}
        isRetrying={query.isFetching}
        onRetry={() => void query.refetch()}
      />
    )
  }
  return (
    <Loading label={`${what} are loading`} className={styles.ghosts}>
      <Skeleton width={300} height={32} />
      <Skeleton height={40} />
      <Skeleton height={40} />
      <Skeleton height={40} />
    </Loading>
  )
}
