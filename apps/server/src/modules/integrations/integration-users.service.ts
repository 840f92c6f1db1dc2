import type { UsedBy } from '@trellis/contract/integrations/integrations.schemas'
import type * as z from 'zod/mini'
import type { WorkspaceCtx } from '../../platform/ctx.ts'
import { dataflowsUsing } from '../dataflows/connections/connection-users.service.ts'
import type { KnownIntegration } from './known-integration.ts'

export type IntegrationUser = z.infer<typeof UsedBy>

/** The one place that knows what works with a connection: while there is somebody, it is not deleted. */
export async function usersOf(ctx: WorkspaceCtx, integration: KnownIntegration): Promise<IntegrationUser[]> {
  const dataflows = await dataflowsUsing(ctx, integration)
  return dataflows.map((dataflow) => ({ kind: 'dataflow', ...dataflow }))
}
