import type { Endpoint } from '@trellis/contract/core/endpoint'
import type { Permission, ScopeOf } from '@trellis/contract/core/permissions'
import type { CtxByScope } from '../platform/ctx.ts'

export interface Route {
  readonly endpoint: Endpoint
  readonly run: (input: never, ctx: never, ready: never) => Promise<unknown>
  readonly prepare: ((input: never) => Promise<unknown>) | undefined
}

/**
 * Ties a call of the contract to its use case; the ctx it gets follows from the permission it declares. Slow work that
 * needs no database belongs into `prepare`: a call with an Idempotency-Key runs in one transaction and would hold its
 * connection meanwhile.
 */
export function handle<Call, Handler, Result, P extends Permission, Ready = undefined>(
  endpoint: Endpoint<Call, Handler, Result, P>,
  run: (input: NoInfer<Handler>, ctx: CtxByScope[ScopeOf<P>], ready: NoInfer<Ready>) => Promise<NoInfer<Result>>,
  prepare?: (input: NoInfer<Handler>) => Promise<Ready>,
): Route {
  return { endpoint: endpoint as Endpoint, run: run as Route['run'], prepare: prepare as Route['prepare'] }
}

/** The same for a call that sends events: the use case gives them as they happen, until `ctx.wire.signal` ends. */
export function handleEvents<Call, Handler, Event, P extends Permission>(
  endpoint: Endpoint<Call, Handler, Event, P>,
  run: (input: NoInfer<Handler>, ctx: CtxByScope[ScopeOf<P>]) => Promise<AsyncIterable<NoInfer<Event>>>,
): Route {
  return { endpoint: endpoint as Endpoint, run: run as Route['run'], prepare: undefined }
}
