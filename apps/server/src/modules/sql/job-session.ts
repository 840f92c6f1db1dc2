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
  /** The workspace's own database, when it was opened a moment ago. */
  readonly database?: OpenDatabase | undefined
  readonly work: (session: Session) => Promise<void>
}

interface SessionOwner {
  readonly integration_code: string
  readonly request: { readonly timeoutSeconds: number }
}

/** A viewer's session can only read, whatever the text says; so can one on a connection that does not allow writing. */
export async function withJobSession(ctx: WorkspaceCtx, row: SessionOwner, session: SessionWork): Promise<void> {
  const { signal, onNotice, work } = session
  const { isReadOnly, ...size } = session.limits
  const limits = { ...size, statementMs: row.request.timeoutSeconds * 1000 }
  // Somebody who starts many queries waits behind their own, not in front of everybody else's.
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
    // At its limit a query ends, however long the server takes to end the session of one that does not listen.
    isEndAwaited: false,
  }
  const giveUpAt = performance.now() + MAX_QUEUED_MS
  for (;;) {
    let hasBegun = false
    try {
      return await withSession(cluster, target, async (opened) => {
        hasBegun = true
        await work(opened)
      })
    } catch (error) {
      const isBusy = error instanceof WorkspaceDbError && error.code === 'busy' && !hasBegun
      if (!isBusy || signal.aborted || performance.now() > giveUpAt) throw error
      // Where too many wait already, the refusal comes at once: trying again at once would block the whole process.
      await sleep(BUSY_PAUSE_MS, undefined, { signal }).catch(() => undefined)
    }
  }
}

export interface SessionAhead {
  readonly use: (onNotice: SessionWork['onNotice'], work: SessionWork['work']) => Promise<void>
  /** Without a job the session ends unused. */
  readonly abandon: () => void
}

/** Opens the session while the job is still being stored: the first statement need not wait for one after the other. */
export function openSessionAhead(
  ctx: WorkspaceCtx,
  row: SessionOwner,
  session: Omit<SessionWork, 'onNotice' | 'work'>,
): SessionAhead {
  const { promise: given, resolve } = Promise.withResolvers<SessionWork['work'] | undefined>()
  let listener: SessionWork['onNotice'] | undefined
  const ended = withJobSession(ctx, row, {
    ...session,
    onNotice: (notice) => listener?.(notice),
    work: async (opened) => {
      const work = await given
      await work?.(opened)
    },
  })
  // Whoever uses the session hears of a failure; until then it must not end the process.
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
