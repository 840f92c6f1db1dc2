import { readFileSync } from 'node:fs'
import {
  newQuickJSWASMModuleFromVariant,
  type QuickJSContext,
  type QuickJSHandle,
  type QuickJSRuntime,
} from 'quickjs-emscripten-core'
import { readPackageSource } from './package-list.ts'
import { findErrorPosition } from './find-error-position.ts'
import { type Head, readThreadResult, type ThreadResult } from './thread-result.ts'
import { type OpenMessage, type Output, type Problem, type Request, SEPARATOR, type WireColumn } from './wire.ts'

const CODE_NAME = 'code.js'
/** With more, deep recursion overflows the stack outside the engine. */
const STACK_BYTES = 128 * 1024
const CONSOLE_LENGTH = 2_000

export type Outcome<T> = { readonly value: T } | { readonly problem: Problem }

export interface Engine {
  readonly hasFinish: boolean
  run(request: Request): Outcome<Output>
  takeLines(): string[]
}

export async function startEngine(opening: OpenMessage): Promise<Outcome<Engine>> {
  const { code, limits } = opening
  // Start-up does not count towards the code's time limit.
  let deadline = Number.POSITIVE_INFINITY
  const runtime = (await newQuickJSWASMModuleFromVariant(import('@jitl/quickjs-ng-wasmfile-release-sync'))).newRuntime()
  runtime.setMemoryLimit(limits.memoryMb * 1024 * 1024)
  runtime.setMaxStackSize(STACK_BYTES)
  runtime.setInterruptHandler(() => Date.now() > deadline)
  runtime.setModuleLoader((name) => readPackageSource(name, opening.packages))
  const context = runtime.newContext()
  const print = createConsole(context, limits.consoleLines)
  const guest = startPrelude(context, print.handle)
  let batch = 0

  const startedAt = Date.now()
  deadline = startedAt + limits.batchMs
  const module = evaluate(context, code)
  if ('problem' in module) return module
  const entry = context.getProp(module.value, 'default')
  if (context.typeof(entry) !== 'function') {
    return createProblem('code', 'The code exports no function. Begin with: export default function (columns) { … }')
  }
  const finish = context.getProp(module.value, 'finish')
  const hasFinish = context.typeof(finish) === 'function'

  function call(name: string, ...args: QuickJSHandle[]): QuickJSHandle {
    const result = withHandle(context.getProp(guest, name), (it) =>
      context.callFunction(it, context.undefined, ...args),
    )
    if (result.error) throw new GuestStop(toStopProblem(context, result.error, deadline))
    return result.value
  }
  const text = (name: string, ...args: QuickJSHandle[]) =>
    withHandle(call(name, ...args), (it) => context.getString(it))

  function takeColumn(head: Head, at: number): WireColumn {
    const where = context.newNumber(at)
    if (head.kind === 'numbers') {
      const buffer = withHandle(call('take', where), (it) =>
        withHandle(context.getArrayBuffer(it), (bytes) => bytes.value.slice().buffer),
      )
      return { kind: 'numbers', buffer }
    }
    const taken = text('take', where)
    if (head.kind === 'json') return { kind: 'json', text: taken }
    if (countSeparators(taken) !== Math.max(0, head.count - 1)) return { kind: 'json', text: text('takeJson', where) }
    return { kind: 'texts', text: taken, gaps: head.gaps ?? [] }
  }

  function takeOutput(verdict: ThreadResult): Outcome<Output> {
    if ('fault' in verdict) {
      // Code interrupted inside a promise fails with an unrelated message.
      if (Date.now() > deadline) return createProblem('time', TOO_LONG)
      if (verdict.message.startsWith('InternalError: out of memory')) return createProblem('memory', TOO_MUCH)
      return createProblem(
        verdict.fault,
        verdict.message,
        findErrorPosition(code, { stack: verdict.stack ?? '', message: verdict.message }),
      )
    }
    if (verdict.shape !== 'columns') {
      return {
        value:
          verdict.shape === 'rows' ? { shape: 'rows', text: text('take', context.newNumber(0)) } : { shape: 'nothing' },
      }
    }
    const { names, heads } = verdict
    return { value: { shape: 'columns', names, columns: heads.map(takeColumn), rowCount: heads[0]?.count ?? 0 } }
  }

  function perform(request: Request): Outcome<Output> {
    deadline = Math.min(Date.now() + limits.batchMs, startedAt + limits.totalMs)
    let verdict: string
    if (request.type === 'finish') verdict = text('finish', finish)
    else {
      batch += 1
      for (const [at, name] of request.names.entries()) putColumn(name, request.columns[at])
      verdict = text('run', entry, context.newNumber(request.rowCount), context.newNumber(batch))
    }
    if (verdict === '') {
      runJobs(context, runtime, deadline)
      verdict = text('outcome')
    }
    return takeOutput(readThreadResult(verdict))
  }

  function putColumn(name: string, column: WireColumn | undefined): void {
    if (!column) return
    const payload = column.kind === 'numbers' ? context.newArrayBuffer(column.buffer) : context.newString(column.text)
    const head = JSON.stringify({ kind: column.kind, gaps: column.kind === 'texts' ? column.gaps : [] })
    const handles = [context.newString(name), context.newString(head), payload]
    try {
      call('put', ...handles).dispose()
    } finally {
      for (const handle of handles) handle.dispose()
    }
  }

  const engine: Engine = {
    hasFinish,
    takeLines: print.take,
    run(request) {
      try {
        return perform(request)
      } catch (error) {
        return createStopProblem(error, deadline)
      }
    },
  }
  return { value: engine }
}

class GuestStop extends Error {
  readonly problem: Problem
  constructor(problem: Problem) {
    super(problem.message)
    this.problem = problem
  }
}

function createStopProblem(error: unknown, deadline: number): { problem: Problem } {
  if (error instanceof GuestStop) return { problem: error.problem }
  // QuickJS recursed until our own stack overflowed.
  if (error instanceof RangeError) return createProblem('code', TOO_DEEP)
  if (Date.now() > deadline) return createProblem('time', TOO_LONG)
  throw error
}

const TOO_DEEP = 'The code calls itself too deeply.'
const TOO_LONG = 'The code took longer than allowed and was stopped.'
const TOO_MUCH = 'The code used more memory than allowed and was stopped.'

const createProblem = (
  fault: Problem['fault'],
  message: string,
  place: { line: number | null; column: number | null } = { line: null, column: null },
): { problem: Problem } => ({ problem: { fault, message, ...place } })

/** Interrupts by the engine cannot be caught by the code. Without memory, the engine cannot even create the message. */
function toStopProblem(context: QuickJSContext, error: QuickJSHandle, deadline: number): Problem {
  const read = (name: string) =>
    withHandle(context.getProp(error, name), (it) => (context.typeof(it) === 'string' ? context.getString(it) : ''))
  const message = read('message')
  if (Date.now() > deadline || message === 'interrupted') return createProblem('time', TOO_LONG).problem
  if (message.includes('out of memory') || message === '') return createProblem('memory', TOO_MUCH).problem
  return createProblem('code', message).problem
}

function evaluate(context: QuickJSContext, code: string): Outcome<QuickJSHandle> {
  const result = context.evalCode(code, CODE_NAME, { type: 'module' })
  if (!result.error) return { value: result.value }
  const read = (name: string) =>
    withHandle(context.getProp(result.error, name), (it) =>
      context.typeof(it) === 'string' ? context.getString(it) : '',
    )
  const [name, message, stack] = [read('name'), read('message'), read('stack')]
  if (message === 'interrupted') return createProblem('time', TOO_LONG)
  if (message.includes('out of memory') || name === '') return createProblem('memory', TOO_MUCH)
  const words = name === 'Error' ? message : `${name}: ${message}`
  return createProblem('code', words, findErrorPosition(code, { stack, message: words }))
}

function runJobs(context: QuickJSContext, runtime: QuickJSRuntime, deadline: number): void {
  const result = runtime.executePendingJobs()
  if (result.error) throw new GuestStop(toStopProblem(context, result.error, deadline))
}

function startPrelude(context: QuickJSContext, print: QuickJSHandle): QuickJSHandle {
  const source = readFileSync(new URL('./guest/prelude.js', import.meta.url), 'utf8')
  const prelude = context.unwrapResult(context.evalCode(source, 'trellis', { type: 'module' }))
  const make = context.getProp(prelude, 'default')
  return context.unwrapResult(context.callFunction(make, context.undefined, print))
}

function createConsole(context: QuickJSContext, maxLines: number) {
  let lines: string[] = []
  let count = 0
  let dropped = 0
  const handle = context.newFunction('print', (level, words) => {
    if (count >= maxLines) {
      dropped += 1
      return
    }
    count += 1
    const line = context.getString(level) + context.getString(words)
    lines.push(line.length > CONSOLE_LENGTH ? `${line.slice(0, CONSOLE_LENGTH)}…` : line)
  })
  return {
    handle,
    take() {
      const taken = dropped > 0 ? [...lines, `… ${dropped} more lines were dropped.`] : lines
      lines = []
      dropped = 0
      return taken
    },
  }
}

function countSeparators(text: string): number {
  let count = 0
  for (let at = text.indexOf(SEPARATOR); at >= 0; at = text.indexOf(SEPARATOR, at + 1)) count += 1
  return count
}

function withHandle<H extends { dispose(): void }, T>(handle: H, work: (handle: H) => T): T {
  try {
    return work(handle)
  } finally {
    handle.dispose()
  }
}
