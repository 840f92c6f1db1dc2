import { Worker } from 'node:worker_threads'
import { type Columns, toColumns } from './columns.ts'
import { SandboxError } from './sandbox-error.ts'
import { MAX_COLUMNS, TOO_MANY_COLUMNS } from './thread-result.ts'
import {
  type OpenMessage,
  type Output,
  type Reply,
  type Request,
  type SandboxLimits,
  fromWire,
  toPlainCell,
  toWire,
} from './wire.ts'

const DEFAULT_LIMITS: SandboxLimits = { batchMs: 30_000, totalMs: 30 * 60_000, memoryMb: 128, consoleLines: 200 }
/** Native code ignores deadlines: after this the thread is terminated. */
const GRACE_MS = 1_000
const START_MS = 20_000
/** Of the thread; the engine's memory is limited separately. */
const THREAD_LIMITS = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 32, stackSizeMb: 8 }

export interface SandboxRequest {
  readonly code: string
  readonly packages?: readonly string[]
  readonly limits?: Partial<SandboxLimits>
  readonly signal?: AbortSignal
  readonly onLine?: (line: string) => void
}

export interface Sandbox {
  run(columns: Columns): Promise<Columns | undefined>
  finish(): Promise<Columns | undefined>
  close(): Promise<void>
}

/** QuickJS in a worker thread, without network, files or host objects. Always close it. */
export async function openSandbox(request: SandboxRequest): Promise<Sandbox> {
  if (request.signal?.aborted) throw cancelledError()
  const limits = { ...DEFAULT_LIMITS, ...request.limits }
  const opening: OpenMessage = { code: request.code, packages: request.packages ?? [], limits }
  const worker = new Worker(new URL('./worker.ts', import.meta.url), {
    workerData: opening,
    env: {},
    argv: [],
    execArgv: [],
    stdin: false,
    resourceLimits: THREAD_LIMITS,
  })
  let startedAt = Date.now()
  let waiting: PromiseWithResolvers<Reply> | undefined
  let failure: SandboxError | undefined
  const fail = (error: SandboxError) => {
    failure ??= error
    waiting?.reject(failure)
    waiting = undefined
  }
  worker.on('message', (reply: Reply) => {
    waiting?.resolve(reply)
    waiting = undefined
  })
  worker.on('error', (error) => fail(threadError(error)))
  worker.on('exit', () => fail(new SandboxError('host', 'The code was stopped from outside.')))
  const onAbort = () => {
    fail(cancelledError())
    void worker.terminate()
  }
  request.signal?.addEventListener('abort', onAbort, { once: true })

  async function close(): Promise<void> {
    request.signal?.removeEventListener('abort', onAbort)
    failure ??= new SandboxError('host', 'The sandbox is closed.')
    await worker.terminate()
  }

  /** Without a message: waits until the worker has started. */
  async function sendAndWait(message: Request | undefined, ms: number): Promise<Reply> {
    if (failure) throw failure
    if (waiting) throw new Error('A sandbox runs one batch at a time.')
    waiting = Promise.withResolvers()
    const { promise } = waiting
    const timer = setTimeout(() => {
      fail(new SandboxError('time', 'The code took longer than allowed and was stopped.'))
      void worker.terminate()
    }, ms + GRACE_MS)
    try {
      if (message) worker.postMessage(message, listBuffers(message))
      const reply = await promise
      for (const line of reply.lines) request.onLine?.(line)
      if (reply.type !== 'problem') return reply
      const { fault, message: words, line, column } = reply.problem
      throw new SandboxError(fault, words, { line, column })
    } finally {
      clearTimeout(timer)
    }
  }

  async function runWithinLimits(message: Request): Promise<Columns | undefined> {
    const left = startedAt + limits.totalMs - Date.now()
    const reply = await sendAndWait(message, Math.max(0, Math.min(limits.batchMs, left)))
    return reply.type === 'done' ? readOutput(reply.output) : undefined
  }

  try {
    const ready = await sendAndWait(undefined, START_MS + limits.batchMs)
    startedAt = Date.now()
    const hasFinish = ready.type === 'ready' && ready.hasFinish
    return {
      run: ({ names, data, rowCount }) =>
        runWithinLimits({ type: 'batch', names, columns: data.map(toWire), rowCount }),
      finish: async () => (hasFinish ? runWithinLimits({ type: 'finish' }) : undefined),
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

const listBuffers = (message: Request): ArrayBuffer[] =>
  message.type === 'batch'
    ? message.columns.flatMap((column) => (column.kind === 'numbers' ? [column.buffer] : []))
    : []

const cancelledError = () => new SandboxError('cancelled', 'The code was stopped.')

function threadError(error: unknown): SandboxError {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === 'ERR_WORKER_OUT_OF_MEMORY') {
    return new SandboxError('memory', 'The code used more memory than allowed and was stopped.')
  }
  return new SandboxError('host', 'The code ended the engine it ran in.')
}

const wrongOutputError = (message: string) => new SandboxError('output', message)

function readOutput(output: Output): Columns | undefined {
  if (output.shape === 'nothing') return undefined
  if (output.shape === 'rows') return readRows(JSON.parse(output.text) as unknown)
  const { rowCount } = output
  const data = output.columns.map((column, at) => {
    const values = fromWire(column, rowCount)
    if (!values)
      throw wrongOutputError(
        `The column "${output.names[at] ?? ''}" that came back is longer or shorter than the first.`,
      )
    return values
  })
  return { names: output.names, data, rowCount }
}

function readRows(rows: unknown): Columns {
  if (!Array.isArray(rows)) throw wrongOutputError('What came back is not a list of rows.')
  const places = new Map<string, number>()
  const cells = rows.map((row: unknown) => {
    const found: ReturnType<typeof toPlainCell>[] = []
    for (const [name, value] of Object.entries((row ?? {}) as Record<string, unknown>)) {
      let at = places.get(name)
      if (at === undefined) {
        at = places.size
        if (at === MAX_COLUMNS) throw wrongOutputError(TOO_MANY_COLUMNS)
        places.set(name, at)
      }
      found[at] = toPlainCell(value)
    }
    return found
  })
  return toColumns([...places.keys()], cells)
}
