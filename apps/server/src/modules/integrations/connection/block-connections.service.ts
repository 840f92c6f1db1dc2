import type { Connector } from '@trellis/connector-kit/connector'
import type { WorkspaceCtx } from '../../../platform/ctx.ts'
import { findIntegrations } from '../integrations.repository.ts'
import { type StoredIntegration, readManaged } from '../stored-integration.ts'

export interface BlockConnection {
  readonly id: number | null
  readonly code: string
  readonly name: string
  readonly state: StoredIntegration['state']
  readonly isManaged: boolean
  readonly platformCode: string
  readonly connector: Connector | undefined
  readonly icon: string | null
}

export async function listBlockConnections(ctx: WorkspaceCtx): Promise<Map<string, BlockConnection>> {
  const rows = await findIntegrations(ctx, { workspaceId: ctx.workspace.id })
  const knownIntegrations = [await readManaged(ctx), ...rows.map((row) => ({ ...row, is_managed: false }))]
  return new Map(knownIntegrations.map((row) => [row.trellis_code, showConnection(ctx, row)]))
}

function showConnection({ ports }: WorkspaceCtx, row: StoredIntegration): BlockConnection {
  const connector = ports.platforms.find(row.platform_code)
  return {
    id: row.is_managed ? null : row.id,
    code: row.trellis_code,
    name: row.name,
    state: row.state,
    isManaged: row.is_managed,
    platformCode: row.platform_code,
    connector,
    icon: connector ? ports.platforms.readIcon(connector) : null,
  }
}
