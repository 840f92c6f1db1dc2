import type { SqlJob } from '@trellis/contract/sql/sql.schemas'
import { useEffect } from 'react'
import type { SqlAssist } from '../../../sql-language/worker/use-sql-assist.ts'

const LEAVES_DEFINITIONS = new Set([
  'SELECT',
  'INSERT',
  'UPDATE',
  'DELETE',
  'MERGE',
  'EXPLAIN',
  'SHOW',
  'FETCH',
  'VALUES',
])

export function useRefreshAfterDdl(job: SqlJob | null, assist: SqlAssist): void {
  const isOver = job !== null && job.status !== 'queued' && job.status !== 'running'
  const hasDefined =
    isOver &&
    job.statements.some(({ command }) => command !== null && !LEAVES_DEFINITIONS.has(command.split(' ')[0] ?? ''))
  const jobId = job?.job_id
  useEffect(() => {
    if (hasDefined) assist.refresh()
  }, [hasDefined, jobId, assist])
}
