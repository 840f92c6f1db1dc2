import type { SqlJob, Statement } from '@trellis/contract/sql/sql.schemas'
import { lazy, Suspense } from 'react'
import { Skeleton } from '../../../ui/feedback/Skeleton.tsx'
import type { ResultRows } from '../sql.queries.ts'
import { ResultGrid } from './ResultGrid.tsx'
import { useResultRows } from './result-rows.queries.ts'
import type { ResultViewName } from './result-views.ts'

const ChartView = lazy(() => import('./chart/ChartView.tsx'))

interface ResultViewProps {
  view: ResultViewName
  job: SqlJob
  at: number
  result: Statement
  firstRows: ResultRows
}

/** The rows of one statement, in the way that was chosen. All ways share what is loaded. */
export function ResultView({ view, job, at, result, firstRows }: ResultViewProps) {
  const loaded = useResultRows({ jobId: job.job_id, statement: at, result, firstRows })
  if (view === 'rows') return <ResultGrid jobId={job.job_id} statement={at} result={result} loaded={loaded} />
  return (
    <Suspense fallback={<Skeleton height="100%" />}>
      <ChartView job={job} result={result} loaded={loaded} />
    </Suspense>
  )
}
