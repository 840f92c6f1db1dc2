import type { SystemCtx } from '../../../platform/ctx.ts'
import type { LogLevel } from './run-work.ts'
import type { ClaimedRun } from './held-run.ts'
import { type LogLine, insertLogLines } from './run-log.repository.ts'

const MAX_LINES = 200_000
const MAX_LINE_CHARS = 8192
const CUT_SUFFIX = ' … (cut)'
/** Per attempt, since all logs share one database. */
const MAX_CHARS = 20_000_000
const LOG_FULL = 'The log is full: of what comes after this nothing is kept.'
const FLUSH_MS = 400
/** Per run: with a common limit, one flooding run would suppress all others' lines. */
const MAX_WAITING_LINES = 5000

export interface RunLogs {
  open(run: Pick<ClaimedRun, 'id' | 'account_id' | 'epoch' | 'attempt'> & { lines: number }): RunLog
  flush(): Promise<void>
  stop(): Promise<void>
}
export type RunLog = (level: LogLevel, message: string, subtask?: string) => void

/** Lines of all runs are written in batches. A lost run writes nothing more. */
export function openRunLogs(ctx: SystemCtx): RunLogs {
  let waitingLines: LogLine[] = []
  const waitingLinesByRun = new Map<number, number>()
  const decrementWaiting = (runId: number) => {
    const remaining = (waitingLinesByRun.get(runId) ?? 1) - 1
    if (remaining === 0) waitingLinesByRun.delete(runId)
    else waitingLinesByRun.set(runId, remaining)
  }
  let currentWrite: Promise<void> = Promise.resolve()
  const flush = async (): Promise<void> => {
    currentWrite = currentWrite.then(async () => {
      while (waitingLines.length > 0) {
        const lines = waitingLines.splice(0, 1000)
        for (const { run_id } of lines) decrementWaiting(run_id)
        await insertLogLines(ctx, lines).catch((error: unknown) => {
          ctx.log.warn({ err: error, lines: lines.length }, 'Lines of run logs could not be written.')
        })
      }
    })
    await currentWrite
  }
  const timer = setInterval(() => void (waitingLines.length > 0 && flush()), FLUSH_MS)
  return {
    open: (run) => {
      let number = run.lines
      let characters = 0
      return (level, message, subtask) => {
        if (number > MAX_LINES || characters > MAX_CHARS || (waitingLinesByRun.get(run.id) ?? 0) > MAX_WAITING_LINES)
          return
        number += 1
        characters += Math.min(message.length, MAX_LINE_CHARS)
        const isFull = number > MAX_LINES || characters > MAX_CHARS
        waitingLinesByRun.set(run.id, (waitingLinesByRun.get(run.id) ?? 0) + 1)
        waitingLines.push({
          run_id: run.id,
          account_id: run.account_id,
          epoch: run.epoch,
          number,
          at: ctx.clock.now(),
          level: isFull ? 'WARNING' : level,
          attempt: run.attempt,
          subtask: subtask === undefined ? null : normalizeMessage(subtask),
          message: isFull ? LOG_FULL : normalizeMessage(message),
        })
        if (waitingLines.length >= 1000) void flush()
      }
    },
    flush,
    stop: async () => {
      clearInterval(timer)
      await flush()
      waitingLines = []
    },
  }
}

/** Postgres stores neither NUL nor lone surrogates: one would fail the whole batch. Long lines are cut. */
export function normalizeMessage(message: string): string {
  const text = message
    .slice(0, MAX_LINE_CHARS + 1)
    .toWellFormed()
    .replaceAll('\0', '�')
    .trimEnd()
  return text.length > MAX_LINE_CHARS ? text.slice(0, MAX_LINE_CHARS - CUT_SUFFIX.length) + CUT_SUFFIX : text
}
