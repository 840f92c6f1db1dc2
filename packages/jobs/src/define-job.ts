import * as z from 'zod/mini'

/** What keeps twins apart, counted per `singletonKey` (or over the whole job when no key is given). */
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
  /** `feature.verb`, for example `mail.send`. It names the queue: renaming it strands what is queued. */
  name: string
  /** Ids only: what they point at is read again when the job runs. */
  payload: z.core.$ZodType<Payload>
  /** Attempts in all. A killed worker costs one; a worker that is asked to stop does not. */
  maxAttempts: number
  timeoutSeconds: number
  /** The wait doubles from `firstSeconds`. More than 10 seconds here delays a killed worker's job past 30 seconds. */
  backoff?: Backoff
  /** How many may run at once in one worker process. */
  concurrency?: number
  /** How many of one group may run at once in one worker process; less than `concurrency`, or one group can hold all. */
  perGroup?: number
  singleton?: Singleton
  cron?: { expression: string; timeZone?: string }
}

/** The queue takes an attempt for lost after a day, whatever it was told. */
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
