import type { Endpoint } from '@trellis/contract/core/endpoint'
import type { Permission, ScopeOf } from '@trellis/contract/core/permissions'
import type { CtxByScope } from '../platform/ctx.ts'

export interface Route {
  readonly endpoint: Endpoint
  readonly run: (input: never, ctx: never) => Promise<unknown>
}

/** Ties a call of the contract to its use case; the ctx it gets follows from the permission it declares. */
export function handle<Call, Handler, Result, P extends Permission>(
  endpoint: Endpoint<Call, Handler, Result, P>,
  run: (input: NoInfer<Handler>, ctx: CtxByScope[ScopeOf<P>]) => Promise<NoInfer<Result>>,
): Route {
  return { endpoint: endpoint as Endpoint, run: run as Route['run'] }
}
