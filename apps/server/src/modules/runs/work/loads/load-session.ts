import type { Session } from '@trellis/workspace-db/session'
import type { SystemCtx } from '../../../../platform/ctx.ts'
import { openLoadSession } from '../../../../platform/workspace-database/load-session.ts'
import { type WaitingAttempt, whenConnected } from './when-connected.ts'
import {
  type OpenDatabase,
  managedCode,
  openWorkspaceDatabase,
} from '../../../../platform/workspace-database/open-database.ts'

export async function openRunDatabase(
  ctx: SystemCtx,
  workspace: { readonly id: number; readonly code: string },
): Promise<OpenDatabase> {
  return await openWorkspaceDatabase(ctx, { workspaceId: workspace.id, integrationCode: managedCode(workspace.code) })
}

/** A source without checkpoints may pause within a transaction. */
const IDLE_TIMEOUT_MS = 30 * 60_000

export const withRunSession = <T>(
  database: OpenDatabase,
  signal: AbortSignal | undefined,
  work: (session: Session) => Promise<T>,
): Promise<T> => openLoadSession(database, { signal, idleInTransactionMs: IDLE_TIMEOUT_MS }, work)

export const withLoadSession = <T>(
  database: OpenDatabase,
  waiting: WaitingAttempt,
  work: (session: Session) => Promise<T>,
): Promise<T> => {
  const options = { signal: waiting.signal, idleInTransactionMs: IDLE_TIMEOUT_MS, isCounted: true }
  return whenConnected(waiting, work, (runWork) => openLoadSession(database, options, runWork))
}
