import type { Connector } from '@trellis/connector-kit/connector'
import type { FormaValues } from '@trellis/contract/formas/forma'
import type { AnyDb } from '@trellis/control-db/database'
import type { BaseCtx } from '../../../platform/ctx.ts'
import type { StoredIntegration } from '../stored-integration.ts'
import type { OutboundNetwork } from './outgoing.ts'
import type { Scrub } from './scrub.ts'

export interface TokenWork {
  readonly ctx: Pick<BaseCtx, 'ports' | 'clock'> & { readonly db: AnyDb }
  readonly row: StoredIntegration
  readonly connector: Connector
  readonly values: FormaValues
  readonly outgoing: OutboundNetwork
  readonly scrub: Scrub
}
