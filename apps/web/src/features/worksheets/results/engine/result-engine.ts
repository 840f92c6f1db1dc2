import type { ResultColumn } from '@trellis/contract/sql/sql.schemas'
import type { ResultRows } from '../../sql.queries.ts'
import type { ResultComputation, ComputationResults } from './compute-result.ts'
import type { WorkerQuestion } from './result.worker.ts'

interface Factory {
  createPolicy: (
    name: string,
    rules: { createScriptURL: (url: string) => string },
  ) => { createScriptURL: (url: string) => string }
}
const factory = (globalThis as { trustedTypes?: Factory }).trustedTypes
const policy = factory?.createPolicy('trellis-results', { createScriptURL: (url) => url })

export interface ResultEngine {
  run<T extends ResultComputation>(rows: ResultRows, task: T): Promise<ComputationResults[T['op']]>
  stop(): void
}

/** A worker with a copy of the rows, so that long results don't block scrolling. */
export function createResultEngine(columns: readonly ResultColumn[]): ResultEngine {
  const waiting = new Map<number, (result: never) => void>()
  let starting: Promise<Worker> | null = null
  let isStopped = false
  let sent = 0
  let last = 0
  const start = async () => {
    const { default: url } = await import('./result.worker.ts?worker&url')
    const worker = new Worker(policy ? policy.createScriptURL(url) : url, { type: 'module', name: 'results' })
    worker.addEventListener('message', ({ data }: MessageEvent<{ id: number; result: never }>) => {
      waiting.get(data.id)?.(data.result)
      waiting.delete(data.id)
    })
    send(worker, { kind: 'columns', columns })
    if (isStopped) worker.terminate()
    return worker
  }
  return {
    async run<T extends ResultComputation>(rows: ResultRows, task: T) {
      const worker = await (starting ??= start())
      if (rows.length > sent) send(worker, { kind: 'rows', rows: rows.slice(sent) })
      sent = Math.max(sent, rows.length)
      last += 1
      const id = last
      return await new Promise<ComputationResults[T['op']]>((resolve) => {
        waiting.set(id, resolve)
        send(worker, { kind: 'task', id, task })
      })
    },
    stop() {
      isStopped = true
      void starting?.then((worker) => worker.terminate())
    },
  }
}

const send = (worker: Worker, question: WorkerQuestion) => worker.postMessage(question, [])
