import type { SqlJob, Statement } from '@trellis/contract/sql/sql.schemas'
import { lazy, Suspense, useEffect, useMemo, useState } from 'react'
import { Skeleton } from '../../../ui/feedback/Skeleton.tsx'
import type { ResultRows } from '../sql.queries.ts'
import type { ColumnFilters } from './engine/filter-rows.ts'
import { createResultEngine } from './engine/result-engine.ts'
import { ResultGrid } from './grid/ResultGrid.tsx'
import { useResultRows } from './result-rows.queries.ts'
import type { ResultViewName } from './result-views.ts'

const ChartView = lazy(() => import('./chart/ChartView.tsx'))
const PivotView = lazy(() => import('./pivot/PivotView.tsx'))
const CompareView = lazy(() => import('./compare/CompareView.tsx'))

interface ResultViewProps {
  view: ResultViewName
  job: SqlJob
  index: number
  result: Statement
  firstRows: ResultRows
}

export function ResultView({ view, job, index, result, firstRows }: ResultViewProps) {
  const loadedRows = useResultRows({ jobId: job.job_id, statement: index, result, firstRows })
  const [filters, setFilters] = useState<ColumnFilters>({})
  const columns = JSON.stringify(result.columns ?? [])
  const engine = useMemo(() => createResultEngine(JSON.parse(columns) as NonNullable<Statement['columns']>), [columns])
  useEffect(() => () => engine.stop(), [engine])
  const shared = { result, loaded: loadedRows, engine, filters }
  if (view === 'rows') return <ResultGrid {...shared} job={job} statement={index} onFilters={setFilters} />
  return (
    <Suspense fallback={<Skeleton height="100%" />}>
      {view === 'chart' && <ChartView job={job} result={result} loaded={loadedRows} engine={engine} />}
      {view === 'pivot' && <PivotView {...shared} />}
      {view === 'compare' && <CompareView job={job} result={result} loaded={loadedRows} />}
    </Suspense>
  )
}
