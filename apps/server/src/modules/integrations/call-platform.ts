import { ConnectorError } from '@trellis/connector-kit/connector-error'
import { AppError } from '../../platform/app-error.ts'
import type { WorkspaceCtx } from '../../platform/ctx.ts'
import { withAskSlot } from './connection/ask-slots.ts'
import { raceWithSignal } from './connection/or-ended.ts'
import { isUnexpected, toProblem, scrubbedError, formatProblem } from './connection/problem.ts'
import { type Connection, openConnection, withInteractiveLimits } from './connections.service.ts'
import type { StoredIntegration } from './stored-integration.ts'
import { assertUsable } from './validation.ts'

export const ASK_MS = 45_000

const TOO_SLOW = () =>
  new ConnectorError('transient', `The connected system did not answer within ${ASK_MS / 1000} seconds.`, {
    advice: 'Ask for less, or try again later.',
  })

/** Ends on a timeout or with the request; errors are scrubbed of secrets. */
export async function callPlatform<T>(
  ctx: WorkspaceCtx,
  row: StoredIntegration,
  work: (connection: Connection) => Promise<T>,
): Promise<T> {
  return await withAskSlot(ctx.account, async () => {
    const signal = AbortSignal.any([ctx.http.signal, AbortSignal.timeout(ASK_MS)])
    const connection = withInteractiveLimits(await openConnection(ctx, row, signal))
    if (!row.is_managed) await assertUsable(ctx, row, connection.context.values)
    return await withConnectorErrors(ctx, connection, work)
  })
}

async function withConnectorErrors<T>(
  ctx: Pick<WorkspaceCtx, 'log' | 'http'>,
  connection: Connection,
  work: (connection: Connection) => Promise<T>,
): Promise<T> {
  const { scrub, context } = connection
  try {
    return scrub.deep(await raceWithSignal(work(connection), context.signal))
  } catch (error) {
    if (ctx.http.signal.aborted) throw new AppError('integration_problem', 'The call was left before it was answered.')
    const fault = context.signal.aborted ? TOO_SLOW() : error
    if (fault instanceof AppError) throw fault
    if (isUnexpected(fault)) ctx.log.error({ fault: scrubbedError(fault, scrub) }, 'A connector failed unexpectedly.')
    throw new AppError('integration_problem', formatProblem(toProblem(fault, scrub)))
  }
}
