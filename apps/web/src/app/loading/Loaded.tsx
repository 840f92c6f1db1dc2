import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { ApiError } from '../../api/api-error.ts'
import { ErrorPanel } from '../../ui/feedback/ErrorPanel.tsx'
import { Loading, Skeleton } from '../../ui/feedback/Skeleton.tsx'
import styles from './loading.module.css'

interface LoadedProps<T> {
  query: Pick<UseQueryResult<T, ApiError>, 'data' | 'error' | 'isFetching' | 'refetch'>
  /** As in “The schema could not be loaded”. */
  subject: string
  skeletonHeights?: readonly number[]
  /** A skeleton of the whole page, to avoid a layout shift. */
  skeleton?: ReactNode
  /** Link for a 404, where a retry would not help. */
  notFoundLink?: ReactNode
  /** Shown beside Retry. */
  errorAction?: ReactNode
  children: (data: T) => ReactNode
}

const SKELETON_HEIGHTS = [120, 72, 72, 72]

export function Loaded<T>({
  query,
  subject,
  skeletonHeights = SKELETON_HEIGHTS,
  skeleton,
  notFoundLink,
  errorAction,
  children,
}: LoadedProps<T>) {
  const { data, error } = query
  if (data !== undefined) return children(data)
  if (error) {
    const isNotFound = error.code === 'not_found'
    return (
      <ErrorPanel
        title={isNotFound ? `${subject} was not found` : `${subject} could not be loaded`}
        detail={isNotFound ? 'It was deleted or renamed, or the address is wrong.' : error.message}
        reference={error.requestId}
        isRetrying={query.isFetching}
        {...(!(isNotFound && notFoundLink) && { onRetry: () => void query.refetch() })}
      >
        {isNotFound ? notFoundLink : errorAction}
      </ErrorPanel>
    )
  }
  if (skeleton) return skeleton
  return (
    <Loading label={`Loading. ${subject}`} className={styles.ghosts}>
      {skeletonHeights.map((height, at) => (
        <Skeleton key={at} height={height} />
      ))}
    </Loading>
  )
}
