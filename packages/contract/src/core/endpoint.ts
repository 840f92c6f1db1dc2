import type * as z from 'zod/mini'
import type { ErrorCode } from './errors.ts'
import type { Permission, ScopeOf } from './permissions.ts'

type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'

/** The two bases of the wire: the sign-in service and the internal API. */
type Base = 'auth' | 'api'

type Schema = z.core.$ZodType

/** What a call takes beside its address: JSON, a form with one file, or bare bytes. The last two are read as they come. */
type Receives = 'json' | 'multipart' | 'bytes'
/**
 * What a call answers with: JSON, a file that can be read from any byte on, or events as they happen. `response` is then the
 * shape of one event.
 */
type Sends = 'json' | 'file' | 'events'

/** How often a call may be made: `[times, seconds]`, counted per address, per e-mail named in the body, or both together. */
export interface RateLimit {
  /** Calls that are the same thing by another address share one allowance under this name. */
  readonly name?: string
  readonly emailAndIp?: readonly [times: number, seconds: number]
  readonly ip?: readonly [times: number, seconds: number]
  readonly email?: readonly [times: number, seconds: number]
  /** A browser in which the owner of the e-mail signed in before counts on its own, whatever others there used up. */
  readonly knownDevice?: readonly [times: number, seconds: number]
  /** Only calls that end with one of these errors use up what an e-mail has. */
  readonly failures?: readonly ErrorCode[]
}

/**
 * One call of the product as a value. The type parameters are plain inferred types:
 * carrying schema types here made type-checking of 200 endpoints three times heavier.
 */
export interface Endpoint<Call = unknown, Handler = unknown, Result = unknown, P extends Permission = Permission> {
  readonly id: string
  readonly feature: string
  readonly method: Method
  readonly base: Base
  readonly path: string
  readonly summary: string
  readonly permission: P
  readonly params: Schema | undefined
  readonly query: Schema | undefined
  readonly body: Schema | undefined
  readonly response: Schema
  readonly errors: readonly ErrorCode[]
  /** The call makes something, so a repeat with the same Idempotency-Key must not make it twice. */
  readonly creates: boolean
  readonly limit: RateLimit | undefined
  /** What a personal access token needs for it, where that is neither reading nor writing. */
  readonly tokenScope: 'run' | undefined
  /** Never written to the audit log: calls that change nothing a person would ask about. */
  readonly quiet: boolean
  /**
   * Answered although the account's plan is over. Reading and deleting always are; whatever else is declares it:
   * exports, leaving, and what stops work. Loads, runs and changes wait until the plan runs again.
   */
  readonly worksWhenPlanIsOver: boolean
  /** Above the server's limit for a body, for the few calls that need it. */
  readonly maxBodyBytes: number | undefined
  readonly receives: Receives
  readonly sends: Sends
  readonly types?: { call: Call; handler: Handler; result: Result; scope: ScopeOf<P> }
}

type CallOf<PA, Q, B> = (PA extends Schema ? { params: z.core.input<PA> } : unknown) &
  (Q extends Schema ? { query?: z.core.input<Q> } : unknown) &
  (B extends Schema ? { body: z.core.input<B> } : unknown)

interface HandlerOf<PA, Q, B> {
  params: PA extends Schema ? z.core.output<PA> : undefined
  query: Q extends Schema ? z.core.output<Q> : undefined
  body: B extends Schema ? z.core.output<B> : undefined
}

interface Definition<P, PA, Q, B, R> {
  id: string
  feature: string
  method: Method
  base?: Base
  path: string
  summary: string
  permission: P
  params?: PA
  query?: Q
  body?: B
  response: R
  errors?: readonly ErrorCode[]
  creates?: boolean
  limit?: RateLimit
  tokenScope?: 'run'
  quiet?: boolean
  worksWhenPlanIsOver?: boolean
  maxBodyBytes?: number
  receives?: Receives
  sends?: Sends
}

// @__NO_SIDE_EFFECTS__
export function defineEndpoint<
  P extends Permission,
  R extends Schema,
  PA extends Schema | undefined = undefined,
  Q extends Schema | undefined = undefined,
  B extends Schema | undefined = undefined,
>(def: Definition<P, PA, Q, B, R>): Endpoint<CallOf<PA, Q, B>, HandlerOf<PA, Q, B>, z.core.output<R>, P> {
  return {
    ...def,
    base: def.base ?? 'api',
    params: def.params,
    query: def.query,
    body: def.body,
    errors: def.errors ?? [],
    creates: def.creates ?? false,
    limit: def.limit,
    tokenScope: def.tokenScope,
    quiet: def.quiet ?? false,
    worksWhenPlanIsOver: def.worksWhenPlanIsOver ?? (def.method === 'GET' || def.method === 'DELETE'),
    maxBodyBytes: def.maxBodyBytes,
    receives: def.receives ?? 'json',
    sends: def.sends ?? 'json',
  }
}

/** The address of a call as servers and clients write it, with `:name` for each path parameter. */
export function toEndpointUrl(endpoint: Pick<Endpoint, 'base' | 'path'>): string {
  return `/${endpoint.base}${endpoint.path}`
}
