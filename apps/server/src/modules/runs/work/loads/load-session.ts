import { type Session, withSession } from '@trellis/workspace-db/session'
import { MAX_STATEMENT_MS } from '@trellis/workspace-db/session/session-options'
import type { SystemCtx } from '../../../../platform/ctx.ts'
import {
  type OpenDatabase,
  managedCode,
  openWorkspaceDatabase,
} from '../../../../platform/workspace-database/open-database.ts'

const LIMITS = {
  statementMs: MAX_STATEMENT_MS,
  lockMs: 15_000,
  // A source without a place to go on from may take its time in the middle of a transaction.
  idleInTransactionMs: 30 * 60_000,
  workMemMb: 64,
}

export async function openRunDatabase(
  ctx: SystemCtx,
  workspace: { readonly id: number; readonly code: string },
): Promise<OpenDatabase> {
  return await openWorkspaceDatabase(ctx, { workspaceId: workspace.id, integrationCode: managedCode(workspace.code) })
}

/** A session of the platform's own in the workspace's database, for as long as a load takes. */
export async function withRunSession<T>(
  { cluster, database, credentials }: OpenDatabase,
  signal: AbortSignal | undefined,
  work: (session: Session) => Promise<T>,
): Promise<T> {
  const target = {
    database,
    credentials,
    role: 'rw',
    isPlain: true,
    limits: LIMITS,
    ...(signal && { signal }),
  } as const
  return await withSession(cluster, target, work)
}
