import type { ReactNode } from 'react'
import { ApiError } from '../../../api/api-error.ts'
import { Button } from '../../../ui/actions/Button.tsx'
import { Activated, Activating, ActivationFailed } from './ActivationResult.tsx'

interface Work<T> {
  data: T | undefined
  error: Error | null
  failureCount: number
  isFetching: boolean
  refetch: () => unknown
}

export function ActivationSteps<T>({
  work,
  told,
}: {
  work: Work<T>
  told: (result: T) => { text: string; action: ReactNode }
}) {
  const { data, error, failureCount, isFetching, refetch } = work
  if (data !== undefined) return <Activated {...told(data)} />
  if (error === null || isFetching) return <Activating isWaiting={failureCount > 0} />
  return (
    <ActivationFailed
      text={error.message}
      reference={error instanceof ApiError ? error.requestId : undefined}
      action={
        <Button variant="primary" onClick={() => void refetch()}>
          Retry
        </Button>
      }
    />
  )
}
