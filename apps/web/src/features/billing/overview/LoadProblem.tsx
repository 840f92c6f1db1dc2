import { RotateCw } from 'lucide-react'
import type { ApiError } from '../../../api/api-error.ts'
import { Button } from '../../../ui/actions/Button.tsx'
import { Banner } from '../../../ui/feedback/Banner.tsx'
import { Reference } from '../../../ui/feedback/ErrorPanel.tsx'

interface FailedQuery {
  error: ApiError | null
  isFetching: boolean
  refetch: () => unknown
}

export function LoadProblem({ title, query }: { title: string; query: FailedQuery }) {
  return (
    <Banner
      tone="danger"
      title={title}
      action={
        <Button
          size="sm"
          icon={<RotateCw aria-hidden />}
          isBusy={query.isFetching}
          onClick={() => void query.refetch()}
        >
          Retry
        </Button>
      }
    >
      {query.error?.message} {query.error?.requestId && <Reference id={query.error.requestId} />}
    </Banner>
  )
}
