import type * as z from 'zod/mini'
import type { ErrorCode } from './errors.ts'
import type { Permission, ScopeOf } from './permissions.ts'

type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'

/** The sign-in service and the internal API. */
type Base = 'auth' | 'api'

type Schema = z.core.$ZodType

/** `multipart` (one file) and `bytes` are streamed. */
type Receives = 'json' | 'multipart' | 'bytes'
/** `file` supports range requests. For `events`, `response` is the schema of one event. */
type Sends = 'json' | 'file' | 'events'

/** `[times, seconds]`, counted per IP address, per e-mail in the body, or per both. */
export interface RateLimit {
  /** Endpoints with the same name share one limit. */
  readonly name?: string
  readonly emailAndIp?: readonly [times: number, seconds: number]
  readonly ip?: readonly [times: number, seconds: number]
  readonly email?: readonly [times: number, seconds: number]
  /**
   * Counted separately for a browser in which the owner of the e-mail signed in before, so that an attacker cannot lock
   * them out.
   */
  readonly knownDevice?: readonly [times: number, seconds: number]
  /** Only responses with one of these errors count against the e-mail's limit. */
  readonly failures?: readonly ErrorCode[]
}

/**
 * The type parameters are plain inferred types: schema types made type-checking of 200 endpoints three times slower.
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
  /** A repeat with the same Idempotency-Key must not create twice. */
  readonly creates: boolean
  readonly limit: RateLimit | undefined
  /** The token scope it needs when that is neither `read` nor `write`. */
  readonly tokenScope: 'run' | undefined
  readonly quiet: boolean
  /**
   * Allowed after the account's plan has ended. Reads and deletes always are; exports, leaving and stopping work
   * declare it.
   */
  readonly worksWhenPlanIsOver: boolean
  /** For the few endpoints that need more than the server's default limit. */
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

/** With `:name` for each path parameter. */
export function toEndpointUrl(endpoint: Pick<Endpoint, 'base' | 'path'>): string {
  return `/${endpoint.base}${endpoint.path}`
}
