import type { ReadState, RejectedRecord, RowBatch, Value } from '@trellis/connector-kit/batch'
import type { ReadRequest } from '@trellis/connector-kit/connector'
import { addDays, latest, splitWindow } from './day-windows.ts'
import type { DayWindow } from './day-windows.ts'

export interface Part {
  /** An account, a property: what one request reads. */
  readonly name: string
  /** Null where the platform knows no days. */
  readonly window: DayWindow | null
  /** Where an earlier read of this part stopped, as one of its pages said. */
  readonly at: ReadState | undefined
}

export interface Page {
  readonly rows: readonly (readonly Value[])[]
  readonly rejected?: readonly RejectedRecord[]
  /** Reading the part from here gives what comes after this page; absent where it can't. */
  readonly at?: ReadState
}

export interface Plan {
  readonly names: readonly string[]
  /** All days to read; null where the platform knows none and everything is read each time. */
  readonly range: DayWindow | null
  readonly stepDays: number
  /** Days before the last one that are read again, because numbers are restated. */
  readonly lookbackDays: number
  readPart(part: Part): AsyncIterable<Page>
  readonly signal: AbortSignal
}

interface Position {
  /** Everything up to this day has been read of what was known then. */
  readonly cursor: string | null
  /** What the last whole run read; a name that is new since is read from the beginning. */
  readonly known: readonly string[]
  /** The window under way. */
  readonly window: DayWindow | null
  readonly done: readonly string[]
  readonly part: string | null
  readonly at: ReadState | undefined
}

const START: Position = { cursor: null, known: [], window: null, done: [], part: null, at: undefined }
/** A look at a source that holds next to nothing must not become a whole read. */
const MAX_PREVIEW_PARTS = 20

type PartialRead = Pick<ReadRequest, 'state' | 'window' | 'limit'>

/** Window by window, oldest first, and in each part by part. Ends with a batch that carries the state of the next run. */
export async function* readInParts(plan: Plan, asked: PartialRead): AsyncGenerator<RowBatch> {
  if (asked.limit !== undefined) return yield* look(plan, asked.limit)
  if (asked.window) return yield* backfill(plan, asked.window)
  let position = positionIn(asked.state)
  for (const window of windowsLeft(plan, position)) {
    if (window?.from !== position.window?.from) position = { ...START, cursor: position.cursor, known: position.known }
    for (const name of namesDue(plan, position, window)) {
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

/** The last page of a part says that the part is done, the others where to go on in it. */
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

function windowsLeft(plan: Plan, { cursor, known, window }: Position): (DayWindow | null)[] {
  if (plan.range === null) return [null]
  const { from, to } = plan.range
  if (window) return [window, ...splitWindow({ from: addDays(window.to, 1), to }, plan.stepDays)]
  const hasNew = plan.names.some((name) => !known.includes(name))
  const start = cursor === null || hasNew ? from : latest(from, addDays(cursor, -plan.lookbackDays))
  return splitWindow({ from: start, to }, plan.stepDays)
}

function namesDue(
  { names, lookbackDays }: Plan,
  { cursor, known, done }: Position,
  window: DayWindow | null,
): string[] {
  const isOld = window !== null && cursor !== null && window.to < addDays(cursor, -lookbackDays)
  return names.filter((name) => !done.includes(name) && !(isOld && known.includes(name)))
}

async function* look(plan: Plan, limit: number): AsyncGenerator<RowBatch> {
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

async function* backfill(plan: Plan, asked: DayWindow): AsyncGenerator<RowBatch> {
  const windows = plan.range === null ? [null] : splitWindow(asked, plan.stepDays)
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

/** A state written by an older version is read as far as it can be: reading again is better than stopping. */
function positionIn(state: ReadState | undefined): Position {
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

const textsIn = (list: unknown): string[] => (Array.isArray(list) ? list.filter((one) => typeof one === 'string') : [])
