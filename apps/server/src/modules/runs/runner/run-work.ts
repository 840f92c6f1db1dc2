import type {
  DestinationSettings,
  SourceSettings,
  TransformationSettings,
} from '@trellis/contract/dataflows/task-blocks.schemas'
import type { ActivityKind, LOG_LEVELS } from '@trellis/contract/dataflows/dataflow-words'
import type { SchemaQuestion } from '@trellis/contract/runs/runs.schemas'
import type { Answer } from '@trellis/loads/plan/schema-change'
import type { SystemCtx } from '../../../platform/ctx.ts'

export type LogLevel = (typeof LOG_LEVELS)[number]

/** What this run does otherwise than its block usually does. */
export interface RunRequest {
  readonly scope?: 'block' | 'from_here'
  readonly window?: { readonly from: string; readonly to: string }
  readonly overrides?: Readonly<Record<string, unknown>>
  readonly is_full?: boolean
  readonly accepts_changes?: boolean
  /** What was decided about changed columns, by subtask and the id of the change. */
  readonly answers?: Readonly<Record<string, Readonly<Record<string, Answer>>>>
  readonly is_shadow?: boolean
}

/** What is added to the run's counters. */
export interface Progress {
  readonly rows_read?: number
  readonly rows_written?: number
  readonly rows_updated?: number
  readonly rows_rejected?: number
  readonly bytes?: number
}

/** Everything the work of one attempt is given by the worker that holds the run. */
export interface RunWork<Settings = SourceSettings | TransformationSettings | DestinationSettings> {
  readonly ctx: SystemCtx
  readonly account: { readonly id: number }
  readonly workspace: { readonly id: number; readonly code: string }
  readonly block: { readonly id: number; readonly code: string; readonly name: string; readonly settings: Settings }
  readonly run: {
    readonly id: number
    readonly code: string
    /** The first run of a chain of retries: what it committed counts for all of them. */
    readonly rootCode: string
    /** Rises with every claim of any run. Checked inside every transaction that writes. */
    readonly epoch: number
    readonly attempt: number
    readonly nominalAt: Date | null
    readonly request: RunRequest
    /** Others of the same block may run beside it; each then has a cursor of its own. */
    readonly isParallel?: boolean
  }
  /** The lease is lost, the run cancelled, too long, or the worker is being stopped. */
  readonly signal: AbortSignal
  readonly log: (level: LogLevel, message: string, subtask?: string) => void
  /** Cheap: written to the run once in a while. */
  readonly count: (progress: Progress, subtask?: string) => void
  /** What was counted so far, of one subtask or of all, is committed: the next attempt begins behind it. */
  readonly committed: (subtask?: string) => void
  /** The outside system answers and reading begins: INITIALIZING becomes RUNNING. */
  readonly working: () => Promise<void>
}

export type ProblemKind = 'configuration' | 'transient' | 'rate_limited' | 'system' | 'schema_changed' | 'lost'

interface FaultDetails {
  readonly advice?: string
  readonly subtask?: string
  readonly retryAfterMs?: number
  readonly question?: SchemaQuestion
  readonly isDeferred?: boolean
  readonly cause?: unknown
}

/** How work tells why it did not succeed. Whatever else is thrown is ours: `system`. */
export class RunFault extends Error {
  override readonly name = 'RunFault'
  readonly kind: ProblemKind
  readonly advice: string | null
  readonly subtask: string | null
  readonly retryAfterMs: number | undefined
  readonly question: SchemaQuestion | undefined
  /** Nothing was tried for want of a connection: the run goes back to the queue and loses no attempt. */
  readonly isDeferred: boolean
  constructor(kind: ProblemKind, message: string, more: FaultDetails = {}) {
    super(message, { cause: more.cause })
    this.kind = kind
    this.advice = more.advice ?? null
    this.subtask = more.subtask ?? null
    this.retryAfterMs = more.retryAfterMs
    this.question = more.question
    this.isDeferred = more.isDeferred ?? false
  }
}

export type Work<Settings> = (work: RunWork<Settings>) => Promise<void>

/** What an attempt of a block does, by the block's kind. */
export type WorkTable = Readonly<Partial<Record<ActivityKind, Work<never>>>>
