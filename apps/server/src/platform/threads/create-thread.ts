import { Worker } from 'node:worker_threads'
import type { ThreadReply, ThreadTasks } from './serve-thread.ts'

const THREAD_LIMITS = { maxOldGenerationSizeMb: 512, maxYoungGenerationSizeMb: 32, stackSizeMb: 8 }

export interface Thread<Tasks extends ThreadTasks> {
  /** Sequential. After a timeout or lack of memory, the next call starts a new thread. */
  run<Name extends keyof Tasks & string>(
    task: Name,
    input: Parameters<Tasks[Name]>[0],
  ): Promise<Awaited<ReturnType<Tasks[Name]>>>
}

/** Moves CPU-bound work off the event loop. Started on first use. */
export function createThread<Tasks extends ThreadTasks>(
  file: URL,
  { timeoutMs }: { timeoutMs: number },
): Thread<Tasks> {
  let worker: Worker | undefined
  let last: Promise<unknown> = Promise.resolve()

  function getWorker(): Worker {
    if (worker) return worker
    const started = new Worker(file, { env: {}, argv: [], execArgv: [], resourceLimits: THREAD_LIMITS })
    started.unref()
    const forget = () => {
      if (worker === started) worker = undefined
    }
    // Without a listener, a thread out of memory would crash the process.
    started.on('error', forget)
    started.on('exit', forget)
    worker = started
    return started
  }

  async function runTask(task: string, input: unknown): Promise<unknown> {
    const thread = getWorker()
    const { promise, resolve, reject } = Promise.withResolvers<ThreadReply>()
    const timer = setTimeout(() => void thread.terminate(), timeoutMs)
    const onExit = () => reject(new Error('The thread was ended: it took too long or too much memory.'))
    thread.once('message', resolve)
    thread.once('error', reject)
    thread.once('exit', onExit)
    try {
      thread.postMessage({ task, input }, [])
      const reply = await promise
      if ('error' in reply) throw reply.error
      return reply.value
    } finally {
      clearTimeout(timer)
      thread.off('message', resolve)
      thread.off('error', reject)
      thread.off('exit', onExit)
    }
  }

  return {
    run(task, input) {
      const answer = last.then(() => runTask(task, input))
      last = answer.catch(() => undefined)
      return answer as ReturnType<Thread<Tasks>['run']> as never
    },
  }
}
