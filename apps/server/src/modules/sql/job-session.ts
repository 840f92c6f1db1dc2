import { setTimeout as sleep } from 'node:timers/promises'
import { WorkspaceDbError } from '@trellis/workspace-db/errors'
import { type Session, withSession } from '@trellis/workspace-db/session'
import type { WorkspaceCtx } from '../../platform/ctx.ts'
import { type OpenDatabase, managedCode, openDatabase } from '../../platform/workspace-database/open-database.ts'
import { withOutsideDatabase } from '../integrations/outside-databases.service.ts'

const MAX_QUEUED_MS = 10 * 60_000
const BUSY_PAUSE_MS = 250

export interface SessionWork {
  readonly signal: AbortSignal
  readonly limits: {
    readonly maxRows: number
    readonly maxBytes: number
    readonly isReadOnly: boolean
    readonly idleInTransactionMs?: number
  }
  readonly onNotice: (notice: { severity: string; message: string }) => void
  readonly database?: OpenDatabase | undefined
  /** For an open transaction, results of other queries, which become tables, and reads that take long: a replica cancels them. */
  readonly needsPrimary?: boolean
  readonly work: (session: Session) => Promise<void>
}

interface SessionOwner {
  readonly integration_code: string
  readonly request: { readonly timeoutSeconds: number }
}

/** Read-only for viewers and for connections without write access. */
export async function withJobSession(ctx: WorkspaceCtx, row: SessionOwner, session: SessionWork): Promise<void> {
  const { signal, onNotice, work } = session
  const { isReadOnly, ...size } = session.limits
  const limits = { ...size, statementMs: row.request.timeoutSeconds * 1000 }
  // Fair queueing per person.
  const person = String(ctx.actor.profileId)
  const isWriting = !isReadOnly && ctx.workspace.role !== 'workspace_viewer'
  if (row.integration_code !== managedCode(ctx.workspace.code)) {
    return await withOutsideDatabase(ctx, { code: row.integration_code, limits, signal, person, isWriting }, work)
  }
  const { cluster, database, credentials } = session.database ?? (await openDatabase(ctx, row.integration_code))
  const role = isWriting ? ('rw' as const) : ('ro' as const)
  const target = {
    ...{ database, credentials, role, limits, signal, onNotice, person },
    isConnectedAhead: true,
    canUseReplica: session.needsPrimary !== true,
    // At its limit a query ends without waiting for the server.
    isEndAwaited: false,
  }
  const giveUpAt = performance.now() + MAX_QUEUED_MS
  for (;;) {
    let hasBegun = false
    try {
      return await withSession(cluster, target, async (openedSession) => {
        hasBegun = true
        await work(openedSession)
      })
    } catch (error) {
      const isBusy = error instanceof WorkspaceDbError && error.code === 'busy' && !hasBegun
      if (!isBusy || signal.aborted || performance.now() > giveUpAt) throw error
      // An immediate retry after a refusal would block the process.
      await sleep(BUSY_PAUSE_MS, undefined, { signal }).catch(() => undefined)
    }
  }
}

export interface PreparedSession {
  readonly use: (onNotice: SessionWork['onNotice'], work: SessionWork['work']) => Promise<void>
  readonly abandon: () => void
}

/** Opens the session while the job is being stored, to save a round trip. */
export function prepareSession(
  ctx: WorkspaceCtx,
  row: SessionOwner,
  session: Omit<SessionWork, 'onNotice' | 'work'>,
): PreparedSession {
  const { promise: given, resolve } = Promise.withResolvers<SessionWork['work'] | undefined>()
  let listener: SessionWork['onNotice'] | undefined
  const ended = withJobSession(ctx, row, {
    ...session,
    onNotice: (notice) => listener?.(notice),
    work: async (openedSession) => {
      const work = await given
      await work?.(openedSession)
    },
  })
  // Handled by the consumer; until then an unhandled rejection would crash the process.
  ended.catch(() => undefined)
  return {
    use: async (onNotice, work) => {
      listener = onNotice
      resolve(work)
      await ended
    },
    abandon: () => resolve(undefined),
  }
}
