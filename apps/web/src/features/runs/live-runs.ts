import type { RunFilter, RunPage, TaskRun } from '@trellis/contract/runs/runs.schemas'
import type * as z from 'zod/mini'

export type RunsWanted = Omit<z.input<typeof RunFilter>, 'page'> & { page?: number }
type Page = z.infer<typeof RunPage>

function isWanted(run: TaskRun, runsQuery: RunsWanted): boolean {
  const instant = Date.parse(run.started_at ?? run.due_at)
  return (
    (runsQuery.status === undefined || run.status === runsQuery.status) &&
    (runsQuery.task_block_trellis_code === undefined ||
      run.task_block_trellis_code === runsQuery.task_block_trellis_code) &&
    (runsQuery.started_by === undefined || run.started_by === runsQuery.started_by) &&
    (runsQuery.from === undefined || instant >= Date.parse(runsQuery.from)) &&
    (runsQuery.to === undefined || instant <= Date.parse(runsQuery.to))
  )
}

/**
 * Merges live updates into a page: new runs appear on the first page, runs that no longer match the filter disappear.
 */
export function withRuns(page: Page, runs: readonly TaskRun[], runsQuery: RunsWanted): Page {
  const incomingRuns = new Map(runs.map((run) => [run.task_run_trellis_code, run]))
  const listedCodes = new Set(page.runs.map((run) => run.task_run_trellis_code))
  const remainingRuns = page.runs.flatMap((oldRun) => {
    const run = incomingRuns.get(oldRun.task_run_trellis_code)
    if (!run) return [oldRun]
    return isWanted(run, runsQuery) ? [run] : []
  })
  const isFirst = (runsQuery.page ?? 1) === 1
  const fresh = isFirst
    ? runs.filter((run) => !listedCodes.has(run.task_run_trellis_code) && isWanted(run, runsQuery))
    : []
  if (fresh.length === 0) return { ...page, runs: remainingRuns }
  return { ...page, runs: [...fresh, ...remainingRuns].toSorted((a, b) => b.due_at.localeCompare(a.due_at)) }
}
