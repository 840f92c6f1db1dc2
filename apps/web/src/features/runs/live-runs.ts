import type { RunFilter, RunPage, TaskRun } from '@trellis/contract/runs/runs.schemas'
import type * as z from 'zod/mini'

export type RunsWanted = Omit<z.input<typeof RunFilter>, 'page'> & { page?: number }
type Page = z.infer<typeof RunPage>

function isWanted(run: TaskRun, wanted: RunsWanted): boolean {
  const at = Date.parse(run.started_at ?? run.due_at)
  return (
    (wanted.status === undefined || run.status === wanted.status) &&
    (wanted.task_block_trellis_code === undefined || run.task_block_trellis_code === wanted.task_block_trellis_code) &&
    (wanted.started_by === undefined || run.started_by === wanted.started_by) &&
    (wanted.from === undefined || at >= Date.parse(wanted.from)) &&
    (wanted.to === undefined || at <= Date.parse(wanted.to))
  )
}

/**
 * Merges live updates into a page: new runs appear on the first page, runs that no longer match the filter disappear.
 */
export function withRuns(page: Page, runs: readonly TaskRun[], wanted: RunsWanted): Page {
  const told = new Map(runs.map((run) => [run.task_run_trellis_code, run]))
  const known = new Set(page.runs.map((run) => run.task_run_trellis_code))
  const kept = page.runs.flatMap((oldRun) => {
    const run = told.get(oldRun.task_run_trellis_code)
    if (!run) return [oldRun]
    return isWanted(run, wanted) ? [run] : []
  })
  const isFirst = (wanted.page ?? 1) === 1
  const fresh = isFirst ? runs.filter((run) => !known.has(run.task_run_trellis_code) && isWanted(run, wanted)) : []
  if (fresh.length === 0) return { ...page, runs: kept }
  return { ...page, runs: [...fresh, ...kept].toSorted((a, b) => b.due_at.localeCompare(a.due_at)) }
}
