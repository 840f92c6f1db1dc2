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
  /** Heights of what stands there meanwhile. */
  ghosts?: readonly number[]
  /** The outline of the page instead, so that nothing moves when the answer comes. */
  ghost?: ReactNode
  /** Where to go when it is not there; asking again would not bring it. */
  elsewhere?: ReactNode
  /** Beside the button that asks again. */
  remedy?: ReactNode
  children: (data: T) => ReactNode
}

const GHOSTS = [120, 72, 72, 72]

/** One answer of the server on a page: its ghost while it is on the way, what went wrong, or the thing itself. */
export function Loaded<T>({ query, what, ghosts = GHOSTS, ghost, elsewhere, remedy, children }: LoadedProps<T>) {
  const { data, error } = query
  if (data !== undefined) return children(data)
  if (error) {
    const isGone = error.code === 'not_found'
    return (
      <ErrorPanel
        title={isGone ? `${what} is not there` : `${what} could not be loaded`}
        detail={isGone ? 'It was deleted or renamed, or it never was here.' : error.message}
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
