import { WorkspaceDbError } from '@trellis/workspace-db/errors'
import { type Session, withSession } from '@trellis/workspace-db/session'
import { AppError } from '../../platform/app-error.ts'
import type { WorkspaceCtx } from '../../platform/ctx.ts'
import type { OpenDatabase } from '../../platform/workspace-database/open-database.ts'

export async function withReadSession<T>(
  ctx: WorkspaceCtx,
  { cluster, database, credentials }: OpenDatabase,
  work: (session: Session) => Promise<T>,
): Promise<T> {
  const limits = { statementMs: 10_000, maxRows: 5_000 }
  try {
    const target = { database, credentials, role: 'rw', limits, signal: ctx.http.signal, isPlain: true } as const
    return await withSession(cluster, target, work)
  } catch (error) {
    if (!(error instanceof WorkspaceDbError)) throw error
    throw new AppError(error.code === 'refused' ? 'conflict' : 'unavailable', error.message, { cause: error })
  }
}
