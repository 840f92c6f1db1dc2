import type { Endpoint } from '@trellis/contract/core/endpoint'
import type { Permission, ScopeOf } from '@trellis/contract/core/permissions'
import type { CtxByScope } from '../platform/ctx.ts'

export interface Route {
  readonly endpoint: Endpoint
  readonly run: (input: never, ctx: never, ready: never) => Promise<unknown>
  readonly prepare: ((input: never) => Promise<unknown>) | undefined
}

/**
 * Ties an endpoint to its use case. Slow work without database goes into `prepare`: with an Idempotency-Key the rest
 * runs in one transaction, whose connection it would hold.
 */
export function handle<Call, Handler, Result, P extends Permission, Ready = undefined>(
  endpoint: Endpoint<Call, Handler, Result, P>,
  run: (input: NoInfer<Handler>, ctx: CtxByScope[ScopeOf<P>], ready: NoInfer<Ready>) => Promise<NoInfer<Result>>,
  prepare?: (input: NoInfer<Handler>) => Promise<Ready>,
): Route {
  return { endpoint: endpoint as Endpoint, run: run as Route['run'], prepare: prepare as Route['prepare'] }
}

/** For event streams; runs until `ctx.http.signal` aborts. */
export function handleEvents<Call, Handler, Event, P extends Permission>(
  endpoint: Endpoint<Call, Handler, Event, P>,
  run: (input: NoInfer<Handler>, ctx: CtxByScope[ScopeOf<P>]) => Promise<AsyncIterable<NoInfer<Event>>>,
): Route {
  return { endpoint: endpoint as Endpoint, run: run as Route['run'], prepare: undefined }
}
