import type { Connector } from '@trellis/connector-kit/connector'
import { AppError } from '../../platform/app-error.ts'
import type { WorkspaceCtx } from '../../platform/ctx.ts'
import { managedCode } from '../../platform/workspace-database/open-database.ts'
import { type IntegrationRow, findIntegration, readWorkspaceName } from './integrations.repository.ts'
import { NOT_THERE } from './platforms.ts'

export interface StoredIntegration extends IntegrationRow {
  readonly is_managed: boolean
}

const NO_ROW = 0
const MANAGED_PLATFORM = 'trellis_database'

export async function getIntegrationRow(ctx: WorkspaceCtx, code: string): Promise<StoredIntegration> {
  if (code === managedCode(ctx.workspace.code)) return await readManaged(ctx)
  const row = await findIntegration(ctx, { workspaceId: ctx.workspace.id, code })
  if (!row) throw new AppError('not_found', NOT_THERE)
  return { ...row, is_managed: false }
}

export async function readManaged(ctx: WorkspaceCtx): Promise<StoredIntegration> {
  return managedIntegration(ctx, await readWorkspaceName(ctx, ctx.workspace.id))
}

interface Owner {
  readonly clock: WorkspaceCtx['clock']
  readonly account: Pick<WorkspaceCtx['account'], 'id'>
  readonly workspace: Pick<WorkspaceCtx['workspace'], 'id'>
}

type IntegrationScope = Owner & {
  readonly ports: WorkspaceCtx['ports']
  readonly workspace: Pick<WorkspaceCtx['workspace'], 'code'>
}

export function managedIntegration(
  ctx: IntegrationScope,
  { name, created_at }: { name: string; created_at: Date },
): StoredIntegration {
  return {
    ...withoutRow(ctx, findManagedConnector(ctx)?.code ?? MANAGED_PLATFORM),
    trellis_code: managedCode(ctx.workspace.code),
    name: `${name} database`,
    description: 'The database of this workspace.',
    state: 'ACTIVE',
    created_at,
    updated_at: created_at,
    is_managed: true,
  }
}

export function withoutRow(ctx: Owner, platformCode: string): StoredIntegration {
  return {
    id: NO_ROW,
    account_id: ctx.account.id,
    workspace_id: ctx.workspace.id,
    trellis_code: '',
    platform_code: platformCode,
    name: '',
    description: '',
    state: 'SETUP',
    is_simulated: false,
    settings: {},
    secrets: null,
    secrets_set: [],
    version: 1,
    validation_number: 0,
    validation: null,
    validation_started_at: null,
    validation_finished_at: null,
    problem: null,
    found: [],
    created_by: null,
    created_at: ctx.clock.now(),
    updated_at: ctx.clock.now(),
    is_managed: false,
  }
}

function findManagedConnector({ ports }: Pick<WorkspaceCtx, 'ports'>): Connector | undefined {
  return ports.platforms.connectors.find(({ usesOwnDatabase }) => usesOwnDatabase)
}

export function assertOwn(integration: StoredIntegration): void {
  if (!integration.is_managed) return
  throw new AppError('forbidden', 'The database of the workspace belongs to it and can not be changed or deleted here.')
}
