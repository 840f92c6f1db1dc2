import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { ApiError } from '../../api/api-error.ts'
import { ErrorPanel } from '../../ui/feedback/ErrorPanel.tsx'
import { Loading, Skeleton } from '../../ui/feedback/Skeleton.tsx'
import styles from './loading.module.css'

interface LoadedProps<T> {
  query: Pick<UseQueryResult<T, ApiError>, 'data' | 'error' | 'isFetching' | 'refetch'>
  /** As in “The schema could not be loaded”. */
  what: string
  ghosts?: readonly number[]
  /** A skeleton of the whole page, to avoid a layout shift. */
  ghost?: ReactNode
  /** Link for a 404, where a retry would not help. */
  elsewhere?: ReactNode
  /** Shown beside Retry. */
  remedy?: ReactNode
  children: (data: T) => ReactNode
}

const GHOSTS = [120, 72, 72, 72]

export function Loaded<T>({ query, what, ghosts = GHOSTS, ghost, elsewhere, remedy, children }: LoadedProps<T>) {
  const { data, error } = query
  if (data !== undefined) return children(data)
  if (error) {
    const isGone = error.code === 'not_found'
    return (
      <ErrorPanel
        title={isGone ? `${what} was not found` : `${what} could not be loaded`}
        detail={isGone ? 'It was deleted or renamed, or the address is wrong.' : error.message}
        reference={error.requestId}
        isRetrying={query.isFetching}
        {...(!(isGone && elsewhere) && { onRetry: () => void query.refetch() })}
      >
        {isGone ? elsewhere : remedy}
      </ErrorPanel>
    )
  }
  if (ghost) return ghost
  return (
    <Loading label={`Loading. ${what}`} className={styles.ghosts}>
      {ghosts.map((height, at) => (
        <Skeleton key={at} height={height} />
      ))}
    </Loading>
  )
}
