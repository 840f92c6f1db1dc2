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

export interface RunRequest {
  readonly scope?: 'block' | 'from_here'
  readonly window?: { readonly from: string; readonly to: string }
  readonly overrides?: Readonly<Record<string, unknown>>
  readonly is_full?: boolean
  readonly accepts_changes?: boolean
  /** Decisions on schema changes, by subtask and change id. */
  readonly answers?: Readonly<Record<string, Readonly<Record<string, Answer>>>>
  readonly is_shadow?: boolean
}

export interface Progress {
  readonly rows_read?: number
  readonly rows_written?: number
  readonly rows_updated?: number
  readonly rows_rejected?: number
  readonly bytes?: number
}

/** Of one load, over all attempts. */
export type LoadTotals = Required<Omit<Progress, 'bytes'>>

export interface RunWork<Settings = SourceSettings | TransformationSettings | DestinationSettings> {
  readonly ctx: SystemCtx
  readonly account: { readonly id: number }
  readonly workspace: { readonly id: number; readonly code: string }
  readonly block: { readonly id: number; readonly code: string; readonly name: string; readonly settings: Settings }
  readonly run: {
    readonly id: number
    readonly code: string
    /** The first run of a chain of retries: what it committed counts for all. */
    readonly rootCode: string
    /** Fencing token: rises with every claim and is checked in every writing transaction. */
    readonly epoch: number
    readonly attempt: number
    readonly nominalAt: Date | null
    readonly request: RunRequest
    /** Each parallel run has its own cursor. */
    readonly isParallel?: boolean
  }
  /** Aborts on a lost lease, cancellation, timeout or shutdown. */
  readonly signal: AbortSignal
  readonly log: (level: LogLevel, message: string, subtask?: string) => void
  /** Cheap: saved with the next heartbeat. */
  readonly count: (progress: Progress, subtask?: string) => void
  /** Marks what was counted as committed: the next attempt resumes after it. */
  readonly markCommitted: (subtask?: string) => void
  /** What a load had committed before this attempt. A killed attempt has not reported all of it. */
  readonly setLoadTotals: (totals: LoadTotals, subtask: string) => void
  /** The source responds: INITIALIZING becomes RUNNING. */
  readonly markWorking: () => Promise<void>
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

export class RunFault extends Error {
  override readonly name = 'RunFault'
  readonly kind: ProblemKind
  readonly advice: string | null
  readonly subtask: string | null
  readonly retryAfterMs: number | undefined
  readonly question: SchemaQuestion | undefined
  /** No connection was available: requeued without costing an attempt. */
  readonly isDeferred: boolean
  constructor(kind: ProblemKind, message: string, details: FaultDetails = {}) {
    super(message, { cause: details.cause })
    this.kind = kind
    this.advice = details.advice ?? null
    this.subtask = details.subtask ?? null
    this.retryAfterMs = details.retryAfterMs
    this.question = details.question
    this.isDeferred = details.isDeferred ?? false
  }
}

export type Work<Settings> = (work: RunWork<Settings>) => Promise<void>

export type WorkTable = Readonly<Partial<Record<ActivityKind, Work<never>>>>
