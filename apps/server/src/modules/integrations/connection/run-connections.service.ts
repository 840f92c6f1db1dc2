import type { Problem } from '@trellis/contract/integrations/integrations.schemas'
import { ConnectorError } from '@trellis/connector-kit/connector-error'
import { listErrorCodes } from '@trellis/connector-kit/error-codes'
import { AppError } from '../../../platform/app-error.ts'
import type { SystemCtx } from '../../../platform/ctx.ts'
import { managedCode } from '../../../platform/workspace-database/open-database.ts'
import { isUnexpected, toProblem, scrubbedError } from './problem.ts'
import { createScrub } from './scrub.ts'
import { type Connection, openConnection } from '../connections.service.ts'
import { findIntegration, insertEvent, readWorkspaceName, toAccountScope } from '../integrations.repository.ts'
import { type StoredIntegration, managedIntegration } from '../stored-integration.ts'

export interface IntegrationRef {
  readonly accountId: number
  readonly workspace: { readonly id: number; readonly code: string }
  readonly integrationCode: string
}

type Log = Connection['context']['log']

type RunConnection = Connection & { readonly name: string }

interface OpenOptions {
  readonly signal: AbortSignal
  readonly log: Log
}

export async function openRunConnection(
  ctx: SystemCtx,
  integration: IntegrationRef,
  options: OpenOptions,
): Promise<RunConnection> {
  const connection = await findRunConnection(ctx, integration, options)
  if (connection) return connection
  throw new AppError('integration_problem', 'The connection this block uses was deleted. Choose another one.')
}

export async function findRunConnection(
  ctx: SystemCtx,
  integration: IntegrationRef,
  { signal, log }: OpenOptions,
): Promise<RunConnection | undefined> {
  const row = await findRunIntegration(ctx, integration)
  if (!row) return undefined
  const connection = await openConnection(ctx, row, signal)
  const { scrub, context } = connection
  return {
    ...connection,
    name: row.name,
    context: { ...context, log: (level, message) => log(level, scrub.text(message)) },
  }
}

export async function addConnectionEvent(
  ctx: SystemCtx,
  { accountId, workspace, integrationCode: code }: IntegrationRef,
  what: string,
): Promise<void> {
  const scope = toAccountScope(ctx, accountId)
  const row = await findIntegration(scope, { workspaceId: workspace.id, code })
  if (row) await insertEvent(scope, { integrationId: row.id, profileId: null, what })
}

async function findRunIntegration(
  ctx: SystemCtx,
  { accountId, workspace, integrationCode: code }: IntegrationRef,
): Promise<StoredIntegration | undefined> {
  const scope = toAccountScope(ctx, accountId)
  if (code === managedCode(workspace.code)) {
    const about = await readWorkspaceName(scope, workspace.id)
    return managedIntegration({ ...ctx, ...scope, workspace }, about)
  }
  const row = await findIntegration(scope, { workspaceId: workspace.id, code })
  return row && { ...row, is_managed: false }
}

const NOT_REACHED = [
  'ECONNREFUSED',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EAI_AGAIN',
  'timed_out',
  'unreachable',
]

export function toRunProblem(
  ctx: SystemCtx,
  error: unknown,
  connection: Connection | undefined,
): Problem & { retryAfterMs?: number } {
  const scrub = connection?.scrub ?? createScrub([])
  if (isUnexpected(error)) {
    ctx.log.error({ fault: scrubbedError(error, scrub) }, 'A connector failed unexpectedly.')
  }
  const retryAfterMs = error instanceof ConnectorError ? error.retryAfterMs : undefined
  const problem = toProblem(error, scrub)
  // The address worked when it was validated, so an unreachable host is transient.
  const isAway = problem.kind === 'configuration' && listErrorCodes(error).some((code) => NOT_REACHED.includes(code))
  return {
    ...problem,
    ...(isAway && { kind: 'transient' as const }),
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  }
}
