import * as z from 'zod/mini'

type Singleton = 'queued' | 'running' | 'both'

interface Backoff {
  readonly firstSeconds: number
  readonly maxSeconds: number
}

export interface Job<Payload extends object = object> {
  readonly name: string
  readonly payload: z.core.$ZodType<Payload>
  readonly maxAttempts: number
  readonly timeoutSeconds: number
  readonly backoff: Backoff
  readonly concurrency: number
  readonly perGroup: number | undefined
  readonly singleton: Singleton | undefined
  readonly cron: { readonly expression: string; readonly timeZone: string } | undefined
}

interface Definition<Payload extends object> {
  /** `feature.verb`, e.g. `mail.send`. It names the queue: renaming it strands queued jobs. */
  name: string
  /** Ids only; rows are read again when the job runs. */
  payload: z.core.$ZodType<Payload>
  /** A killed worker costs an attempt, a stopped one does not. */
  maxAttempts: number
  timeoutSeconds: number
  /** Doubles from `firstSeconds`. More than 10 seconds delays a killed worker's job past 30 seconds. */
  backoff?: Backoff
  concurrency?: number
  /** Per group and worker process. Below `concurrency`, so that one group cannot take all slots. */
  perGroup?: number
  singleton?: Singleton
  cron?: { expression: string; timeZone?: string }
}

/** pg-boss expires a job after 24 hours at the latest. */
const MAX_SECONDS = 23 * 3600

const NAME = /^[a-z][a-z0-9-]*(\.[a-z][a-z0-9-]*)+$/

export function defineJob<Payload extends object>(definition: Definition<Payload>): Job<Payload> {
  const { name, payload, maxAttempts, timeoutSeconds, backoff, concurrency = 2, perGroup, singleton, cron } = definition
  if (!NAME.test(name)) throw new Error(`Job name "${name}" must look like feature.verb.`)
  if (!Number.isInteger(maxAttempts) || maxAttempts < 1) throw new Error(`Job ${name} needs at least one attempt.`)
  if (!(timeoutSeconds > 0 && timeoutSeconds <= MAX_SECONDS))
    throw new Error(`Job ${name} needs a timeout of at most 23 hours.`)
  if (perGroup !== undefined && !(perGroup >= 1 && perGroup < concurrency))
    throw new Error(`Job ${name} must leave a place for other groups.`)
  if (cron && !z.safeParse(payload, {}).success)
    throw new Error(`Job ${name} runs by the clock, so its payload must accept {}.`)
  return {
    name,
    payload,
    maxAttempts,
    timeoutSeconds,
    backoff: backoff ?? { firstSeconds: 2, maxSeconds: 300 },
    concurrency,
    perGroup,
    singleton,
    cron: cron && { expression: cron.expression, timeZone: cron.timeZone ?? 'UTC' },
  }
}
