import { useEffect, useMemo, useState } from 'react'
import type { ResultEngine } from './result-engine.ts'
import { type ResultTask, runResultTask, type TaskAnswers, type TaskSource } from './result-tasks.ts'

/** Below this, answers are immediate and a worker would only add latency. */
const MAX_DIRECT_ROWS = 20_000

/** Null skips. Long results go to the worker; the previous answer stays meanwhile. */
export function useResultTask<T extends ResultTask>(
  engine: ResultEngine,
  { columns, rows }: TaskSource,
  task: T | null,
): { answer: TaskAnswers[T['op']] | null; isBusy: boolean } {
  const key = task === null ? null : JSON.stringify(task)
  const isDirect = rows.length <= MAX_DIRECT_ROWS
  const direct = useMemo(
    () =>
      isDirect && key !== null
        ? (runResultTask({ columns, rows }, JSON.parse(key) as T) as TaskAnswers[T['op']])
        : null,
    [isDirect, columns, rows, key],
  )
  const [later, setLater] = useState<{ key: string; rows: unknown; answer: TaskAnswers[T['op']] } | null>(null)
  useEffect(() => {
    if (isDirect || key === null) return undefined
    let isCurrent = true
    void engine.run(rows, JSON.parse(key) as T).then((answer) => {
      if (isCurrent) setLater({ key, rows, answer })
    })
    return () => {
      isCurrent = false
    }
  }, [engine, isDirect, rows, key])
  if (isDirect || key === null) return { answer: direct, isBusy: false }
  return { answer: later?.answer ?? null, isBusy: later?.key !== key || later.rows !== rows }
}
