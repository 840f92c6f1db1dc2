import { useEffect, useMemo, useState } from 'react'
import type { ResultEngine } from './result-engine.ts'
import { type ResultComputation, computeResult, type ComputationResults, type LoadedResult } from './compute-result.ts'

/** Below this, answers are immediate and a worker would only add latency. */
const MAX_DIRECT_ROWS = 20_000

/** Null skips. Long results go to the worker; the previous answer stays meanwhile. */
export function useResultComputation<T extends ResultComputation>(
  engine: ResultEngine,
  { columns, rows }: LoadedResult,
  task: T | null,
): { result: ComputationResults[T['op']] | null; isBusy: boolean } {
  const key = task === null ? null : JSON.stringify(task)
  const isDirect = rows.length <= MAX_DIRECT_ROWS
  const directResult = useMemo(
    () =>
      isDirect && key !== null
        ? (computeResult({ columns, rows }, JSON.parse(key) as T) as ComputationResults[T['op']])
        : null,
    [isDirect, columns, rows, key],
  )
  const [workerResult, setWorkerResult] = useState<{
    key: string
    rows: unknown
    result: ComputationResults[T['op']]
  } | null>(null)
  useEffect(() => {
    if (isDirect || key === null) return undefined
    let isCurrent = true
    void engine.run(rows, JSON.parse(key) as T).then((result) => {
      if (isCurrent) setWorkerResult({ key, rows, result })
    })
    return () => {
      isCurrent = false
    }
  }, [engine, isDirect, rows, key])
  if (isDirect || key === null) return { result: directResult, isBusy: false }
  return { result: workerResult?.result ?? null, isBusy: workerResult?.key !== key || workerResult.rows !== rows }
}
