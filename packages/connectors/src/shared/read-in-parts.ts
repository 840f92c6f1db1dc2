import type { ReadState, RejectedRecord, RowBatch, Value } from '@trellis/connector-kit/batch'
import type { ReadRequest } from '@trellis/connector-kit/connector'
import { addDays, latest, splitWindow } from './day-windows.ts'
import type { DayWindow } from './day-windows.ts'

export interface Part {
  readonly name: string
  readonly window: DayWindow | null
  readonly at: ReadState | undefined
}

export interface Page {
  readonly rows: readonly (readonly Value[])[]
  readonly rejected?: readonly RejectedRecord[]
  /** To resume after this page; absent if impossible. */
  readonly at?: ReadState
}

export interface Plan {
  readonly names: readonly string[]
  readonly range: DayWindow | null
  readonly stepDays: number
  /** Days that are read again, since figures are revised. */
  readonly lookbackDays: number
  readPart(part: Part): AsyncIterable<Page>
  readonly signal: AbortSignal
}

interface Position {
  readonly cursor: string | null
  /** Parts of the last complete run; a new one is read from the start. */
  readonly known: readonly string[]
  readonly window: DayWindow | null
  readonly done: readonly string[]
  readonly part: string | null
  readonly at: ReadState | undefined
}

const START: Position = { cursor: null, known: [], window: null, done: [], part: null, at: undefined }
/** A preview of an almost empty source must not read everything. */
const MAX_PREVIEW_PARTS = 20

type PartialRead = Pick<ReadRequest, 'state' | 'window' | 'limit'>

/** By window, oldest first, then by part. The last batch has the next run's checkpoint. */
export async function* readInParts(plan: Plan, asked: PartialRead): AsyncGenerator<RowBatch> {
  if (asked.limit !== undefined) return yield* readPreview(plan, asked.limit)
  if (asked.window) return yield* readBackfill(plan, asked.window)
  let position = parsePosition(asked.state)
  for (const window of listPendingWindows(plan, position)) {
    if (window?.from !== position.window?.from) position = { ...START, cursor: position.cursor, known: position.known }
    for (const name of listPendingNames(plan, position, window)) {
      const at = position.part === name ? position.at : undefined
      for await (const batch of readBatches(plan, { name, window, at }, position)) yield batch
      position = { ...position, window, done: [...position.done, name], part: null, at: undefined }
    }
    const cursor = window === null ? null : pickLatest(position.cursor, window.to)
    position = { ...START, cursor, known: position.known }
  }
  plan.signal.throwIfAborted()
  yield {
    kind: 'rows',
    rows: [],
    state: position.cursor === null ? {} : { cursor: position.cursor, known: plan.names },
  }
}

async function* readBatches(plan: Plan, part: Part, position: Position): AsyncGenerator<RowBatch> {
  let held: Page | undefined
  const { name, window } = part
  for await (const page of plan.readPart(part)) {
    if (held) yield toBatch(held, held.at ? toReadState({ ...position, window, part: name, at: held.at }) : undefined)
    held = page
  }
  if (held)
    yield toBatch(held, toReadState({ ...position, window, done: [...position.done, name], part: null, at: undefined }))
}

const toBatch = ({ rows, rejected = [] }: Page, state?: ReadState): RowBatch => ({
  kind: 'rows',
  rows,
  ...(rejected.length > 0 && { rejected }),
  ...(state ? { state } : {}),
})

function listPendingWindows(plan: Plan, { cursor, known, window }: Position): (DayWindow | null)[] {
  if (plan.range === null) return [null]
  const { from, to } = plan.range
  if (window) return [window, ...splitWindow({ from: addDays(window.to, 1), to }, plan.stepDays)]
  const hasNew = plan.names.some((name) => !known.includes(name))
  const start = cursor === null || hasNew ? from : latest(from, addDays(cursor, -plan.lookbackDays))
  return splitWindow({ from: start, to }, plan.stepDays)
}

function listPendingNames(
  { names, lookbackDays }: Plan,
  { cursor, known, done }: Position,
  window: DayWindow | null,
): string[] {
  const isOld = window !== null && cursor !== null && window.to < addDays(cursor, -lookbackDays)
  return names.filter((name) => !done.includes(name) && !(isOld && known.includes(name)))
}

async function* readPreview(plan: Plan, limit: number): AsyncGenerator<RowBatch> {
  const windows = plan.range === null ? [null] : splitWindow(plan.range, plan.stepDays).toReversed()
  const parts = windows.flatMap((window) => plan.names.map((name) => ({ name, window, at: undefined })))
  let count = 0
  for (const part of parts.slice(0, MAX_PREVIEW_PARTS)) {
    for await (const page of plan.readPart(part)) {
      yield toBatch(page)
      count += page.rows.length
      if (count >= limit) return
    }
  }
}

async function* readBackfill(plan: Plan, requestedDayWindow: DayWindow): AsyncGenerator<RowBatch> {
  const windows = plan.range === null ? [null] : splitWindow(requestedDayWindow, plan.stepDays)
  for (const window of windows) {
    for (const name of plan.names) {
      for await (const page of plan.readPart({ name, window, at: undefined })) yield toBatch(page)
    }
  }
}

const pickLatest = (a: string | null, b: string) => (a === null ? b : latest(a, b))

function toReadState({ cursor, known, window, done, part, at }: Position): ReadState {
  return {
    ...(cursor === null ? {} : { cursor, known }),
    ...(window === null ? {} : { window }),
    ...(done.length === 0 ? {} : { done }),
    ...(part === null ? {} : { part, at }),
  }
}

/** Tolerates checkpoints of older versions: reading again is better than failing. */
function parsePosition(state: ReadState | undefined): Position {
  if (!state) return START
  const { cursor, known, window, done, part, at } = state
  const { from, to } = (window ?? {}) as Partial<DayWindow>
  return {
    cursor: typeof cursor === 'string' ? cursor : null,
    window: typeof from === 'string' && typeof to === 'string' ? { from, to } : null,
    known: textsIn(known),
    done: textsIn(done),
    part: typeof part === 'string' ? part : null,
    at: typeof at === 'object' && at !== null ? (at as ReadState) : undefined,
  }
}

const textsIn = (list: unknown): string[] =>
  Array.isArray(list) ? list.filter((item) => typeof item === 'string') : []
