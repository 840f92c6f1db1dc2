import type { UsedBy } from '@trellis/contract/integrations/integrations.schemas'
import type * as z from 'zod/mini'
import type { WorkspaceCtx } from '../../platform/ctx.ts'
import type { KnownIntegration } from './known-integration.ts'

export type IntegrationUser = z.infer<typeof UsedBy>

/** The one place that knows what works with a connection: while there is somebody, it is not deleted. */
export async function usersOf(_ctx: WorkspaceCtx, _integration: KnownIntegration): Promise<IntegrationUser[]> {
  return []
}
