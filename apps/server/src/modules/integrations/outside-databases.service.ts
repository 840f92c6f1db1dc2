import type { Connector } from '@trellis/connector-kit/connector'
import { allows } from '@trellis/contract/core/permissions'
import type { AccountScope } from '@trellis/control-db/scoped'
import { WorkspaceDbError } from '@trellis/workspace-db/errors'
import type { Session } from '@trellis/workspace-db/session'
import { createGate } from '@trellis/workspace-db/session/gate'
import { withOutsideSession } from '@trellis/workspace-db/session/outside-session'
import type { SessionLimits } from '@trellis/workspace-db/session/session-options'
import { AppError } from '../../platform/app-error.ts'
import type { BaseCtx, SystemCtx, WorkspaceCtx } from '../../platform/ctx.ts'
import { isUnexpected, toProblem, scrubbedError, formatProblem } from './connection/problem.ts'
import type { Scrub } from './connection/scrub.ts'
import { type Connection, openConnection } from './connections.service.ts'
import { type IntegrationRow, findIntegration, findIntegrations, toAccountScope } from './integrations.repository.ts'
import type { StoredIntegration } from './stored-integration.ts'
import { NOT_THERE } from './platforms.ts'
import { auditSeenRows } from './connection/seen-rows.ts'
import { assertUsable } from './validation.ts'

export interface OutsideDatabase {
  readonly kind: 'integration'
  readonly integrationCode: string
  readonly name: string
  /** Cache key: changes with the settings. */
  readonly database: string
}

export interface Look {
  readonly limits?: Partial<SessionLimits>
  readonly signal: AbortSignal
  readonly person?: string
  /** Also requires a connection that allows writing. */
  readonly isWriting?: boolean
}

type Work<T> = (session: Session, database: OutsideDatabase) => Promise<T>

/** External servers have few connections to spare. */
const gate = createGate({ perWorkspace: 4, total: 60, waiting: 100, waitMs: 15_000 })

/** Requires the permission for connections, as in their preview. */
const mayLookInto = ({ account, workspace }: WorkspaceCtx) =>
  allows('integrations:write', { accountRole: account.role, workspaceRole: workspace.role })

const listExplorableConnectors = ({ ports }: Pick<BaseCtx, 'ports'>) =>
  ports.platforms.connectors.filter(({ openDatabase }) => openDatabase !== undefined)

export async function listOutsideDatabases(ctx: WorkspaceCtx): Promise<IntegrationRow[]> {
  if (!mayLookInto(ctx)) return []
  const platformCodes = listExplorableConnectors(ctx).map(({ code }) => code)
  const rows = await findIntegrations(ctx, { workspaceId: ctx.workspace.id, platformCodes })
  return rows.filter(({ state }) => state !== 'SETUP').toSorted((a, b) => a.name.localeCompare(b.name))
}

export async function withOutsideDatabase<T>(
  ctx: WorkspaceCtx,
  { code, ...look }: Look & { code: string },
  work: Work<T>,
): Promise<T> {
  if (!mayLookInto(ctx)) throw new AppError('not_found', NOT_THERE)
  try {
    return await runInOutsideDatabase(
      ctx,
      { ...look, workspaceId: ctx.workspace.id, code },
      async (session, database) => {
        await auditSeenRows(ctx, { trellis_code: code, name: database.name })
        return await work(session, database)
      },
    )
  } catch (error) {
    throw isGone(error) ? new AppError('integration_problem', error.message, { cause: error }) : error
  }
}

/** Cache key: changes with the settings. not_found without permission. */
export async function getOutsideDatabaseKey(ctx: WorkspaceCtx, code: string): Promise<string> {
  const row = mayLookInto(ctx) ? await findIntegration(ctx, { workspaceId: ctx.workspace.id, code }) : undefined
  if (!row) throw new AppError('not_found', NOT_THERE)
  return toDatabaseKey(row)
}

const isGone = (error: unknown): error is WorkspaceDbError =>
  error instanceof WorkspaceDbError && error.code === 'unavailable'

export async function withOutsideDatabaseForJob<T>(
  ctx: SystemCtx,
  { accountId, ...look }: Look & { accountId: number; workspaceId: number; code: string },
  work: Work<T>,
): Promise<T> {
  return await runInOutsideDatabase({ ...ctx, ...toAccountScope(ctx, accountId) }, look, work)
}

async function runInOutsideDatabase<T>(
  ctx: BaseCtx & AccountScope,
  { limits = {}, signal, person, isWriting = false, ...place }: Look & { workspaceId: number; code: string },
  work: Work<T>,
): Promise<T> {
  const integration = await findIntegration(ctx, place)
  const connector = listExplorableConnectors(ctx).find(({ code }) => code === integration?.platform_code)
  if (!integration || !connector) throw new AppError('not_found', NOT_THERE)
  const row = { ...integration, is_managed: false }
  const leave = await gate.enter(String(row.id), { signal, person })
  try {
    const connection = await openConnection(ctx, row, signal)
    await assertUsable(ctx, row, connection.context.values)
    const link = await openLink(ctx, connector, connection)
    try {
      const target = { limits, signal, isWriting: isWriting && link.allowsWriting }
      return await withOutsideSession(link, target, (session) => work(session, toOutsideDatabase(row)))
    } catch (error) {
      throw error instanceof WorkspaceDbError ? toScrubbedError(error, connection.scrub) : error
    } finally {
      await link.close()
    }
  } finally {
    leave()
  }
}

async function openLink(ctx: BaseCtx, { openDatabase }: Connector, { context, scrub }: Connection) {
  try {
    if (!openDatabase) throw new AppError('not_found', NOT_THERE)
    return await openDatabase(context)
  } catch (error) {
    if (error instanceof AppError) throw error
    if (context.signal.aborted) throw new WorkspaceDbError({ code: 'cancelled', message: 'The call was left.' })
    if (isUnexpected(error)) ctx.log.error({ fault: scrubbedError(error, scrub) }, 'A database could not be opened.')
    throw new AppError('integration_problem', formatProblem(toProblem(error, scrub)))
  }
}

const toOutsideDatabase = ({ id, version, trellis_code, name }: StoredIntegration): OutsideDatabase => ({
  kind: 'integration',
  integrationCode: trellis_code,
  name,
  database: toDatabaseKey({ id, version }),
})

const toDatabaseKey = ({ id, version }: Pick<StoredIntegration, 'id' | 'version'>) => `integration ${id} ${version}`

const UNKNOWN_FUNCTION = '42883'

/** Messages are scrubbed and causes dropped: they may contain settings. */
function toScrubbedError(
  { code, message, sqlState, position, hint }: WorkspaceDbError,
  scrub: Scrub,
): WorkspaceDbError {
  const isOld = sqlState === UNKNOWN_FUNCTION && /pg_current_snapshot|pg_snapshot_xmin/.test(message)
  return new WorkspaceDbError({
    code,
    message: isOld ? 'The explorer can look into databases of PostgreSQL 13 and newer.' : scrub.text(message),
    sqlState,
    position,
    ...(hint !== undefined && { hint: scrub.text(hint) }),
  })
}
