import { GiveUp } from '@trellis/jobs/attempt'
import { AppError } from '../../platform/app-error.ts'
import type { SystemCtx } from '../../platform/ctx.ts'
import { type OpenDatabase, openWorkspaceDatabase } from '../../platform/workspace-database/open-database.ts'

const WAIT_MS = 500
const MAX_ATTEMPTS = 200

export async function whenOnline(
  ctx: SystemCtx,
  place: { workspaceId: number; integrationCode: string },
  signal: AbortSignal,
): Promise<OpenDatabase> {
  for (let waits = 0; ; waits += 1) {
    try {
      return await openWorkspaceDatabase(ctx, place)
    } catch (error) {
      const code = error instanceof AppError ? error.code : undefined
      if (code === 'not_found') throw new GiveUp('The workspace is gone.')
      if (code !== 'unavailable' || waits >= MAX_ATTEMPTS || signal.aborted) throw error
    }
    await new Promise((resolve) => setTimeout(resolve, WAIT_MS))
  }
}
