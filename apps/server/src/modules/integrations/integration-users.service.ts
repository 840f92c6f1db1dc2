import type { UsedBy } from '@trellis/contract/integrations/integrations.schemas'
import type * as z from 'zod/mini'
import type { WorkspaceCtx } from '../../platform/ctx.ts'
import { listIntegrationUsers } from '../dependencies/dependencies.service.ts'
import type { KnownIntegration } from './known-integration.ts'

export type IntegrationUser = z.infer<typeof UsedBy>

/** What works with a connection: while there is somebody, it is not deleted. */
export const usersOf = (ctx: WorkspaceCtx, { id, trellis_code }: KnownIntegration): Promise<IntegrationUser[]> =>
  listIntegrationUsers(ctx, { id, trellis_code })
