import type { FileFormat } from '@trellis/contract/explorer/file-formats'
import * as calls from '@trellis/contract/sql/sql.endpoints'
import { type ExecuteSql, RESULT_PAGE, type SqlJob, type StartedSqlJob } from '@trellis/contract/sql/sql.schemas'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { WorkspaceAddress } from '../../api/workspace-address.ts'
import { ApiError, getErrorDetail } from '../../api/api-error.ts'
import { apiQuery, useApiMutation, withDetail } from '../../api/api-query.ts'
import { call } from '../../api/call.ts'
import { saveFile } from '../../api/save-file.ts'
import { useEvents } from '../../api/use-events.ts'

export type SqlInput = Partial<ExecuteSql> & Pick<ExecuteSql, 'integration_trellis_code' | 'sql'>

/** Long poll: a quick query returns its rows in one call, a slow one is shown as running after this. */
const WAIT_MS = 150

const isGoing = ({ status }: SqlJob): boolean => status === 'queued' || status === 'running'

export type ResultRows = readonly (readonly (string | null)[])[]

interface ShownJob {
  readonly jobId: string | null
  readonly job: SqlJob | null
  readonly firstRows: readonly ResultRows[]
}

export function useSqlJob(params: WorkspaceAddress, lastJobId: string | null, onStarted: (jobId: string) => void) {
  const [shownJob, setShown] = useState<ShownJob>({ jobId: lastJobId, job: null, firstRows: [] })
  // Several events may arrive between two renders.
  const latest = useRef(shownJob)
  const show = (next: ShownJob) => {
    latest.current = next
    setShown(next)
  }
  const [problem, setProblem] = useState<string | null>(null)
  const [isStarting, setStarting] = useState(false)
  const { jobId, job, firstRows } = shownJob
  useEvents(calls.followSqlJob, jobId === null ? null : { params: { ...params, job_id: jobId } }, (event, call) => {
    const before = latest.current
    if (call.params.job_id !== before.jobId) return undefined
    const next =
      event.kind === 'job'
        ? { ...before, job: { ...event.job, sql: event.job.sql ?? before.job?.sql ?? '' } }
        : { ...before, firstRows: placeRows(before.firstRows, event) }
    show(next)
    return next.job && isReceived(next.job, next.firstRows) ? 'over' : undefined
  })
  const run = async (body: Omit<SqlInput, 'job_id'>) => {
    setProblem(null)
    setStarting(true)
    try {
      const { first_rows, ...started } = await call(calls.executeSql, {
        params,
        body: { ...body, job_id: crypto.randomUUID(), wait_ms: WAIT_MS },
      })
      show({ jobId: started.job_id, job: started, firstRows: first_rows.reduce(placeRows, []) })
      onStarted(started.job_id)
    } catch (error) {
      // The caller asks for confirmation.
      if (error instanceof ApiError && error.code === 'conflict') throw error
      setProblem(getErrorDetail(error))
    } finally {
      setStarting(false)
    }
  }
  return { job, firstRows, problem, isRunning: isStarting || (job !== null && isGoing(job)), run }
}

/** Stops following a job that ended and whose first pages have arrived. */
function isReceived(job: SqlJob, firstRows: readonly ResultRows[]): boolean {
  if (isGoing(job)) return false
  if (Date.parse(job.expires_at) <= Date.now()) return true
  return job.statements.every(
    ({ columns, rows }, index) => columns === null || (firstRows[index]?.length ?? 0) >= Math.min(RESULT_PAGE, rows),
  )
}

/** A resumed stream repeats rows: place them by index. */
function placeRows(results: readonly ResultRows[], event: StartedSqlJob['first_rows'][number]): ResultRows[] {
  const next = [...results]
  const before = next[event.statement] ?? []
  next[event.statement] = [...before.slice(0, event.first_row), ...event.rows]
  return next
}

export function useCancelQuery() {
  return useApiMutation(calls.cancelSqlJob, { errorText: withDetail('The query could not be cancelled.') })
}

export function useResultCell(
  params: WorkspaceAddress,
  cell: { jobId: string; statement: number; row: number; column: number },
) {
  const all = { ...params, job_id: cell.jobId, statement: cell.statement, row: cell.row, column: cell.column }
  return useQuery(apiQuery(calls.getResultCell, { params: all }))
}

export function useExportResult(params: WorkspaceAddress, job: SqlJob, statement: number) {
  return useMutation({
    mutationFn: (file_type: FileFormat) => {
      const { job_id, integration_trellis_code } = job
      const input = { params: { ...params, job_id, integration_trellis_code }, query: { file_type, statement } }
      return saveFile(calls.exportResults, input, `result.${file_type}`)
    },
    meta: { texts: { errorText: withDetail('The result could not be exported.') } },
  })
}
