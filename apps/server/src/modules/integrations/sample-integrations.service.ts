import { startValues } from '@trellis/contract/formas/forma-rules'
import type { SystemCtx } from '../../platform/ctx.ts'
import { generateTrellisCode } from '../../platform/trellis-code.ts'
import { insertEvent, insertIntegration, toAccountScope } from './integrations.repository.ts'
import { beginValidation } from './validation.ts'

interface IntegrationOwner {
  readonly accountId: number
  readonly workspaceId: number
  readonly createdBy: number
}

export async function addSampleIntegrations(ctx: SystemCtx, owner: IntegrationOwner): Promise<void> {
  const scope = toAccountScope(ctx, owner.accountId)
  for (const connector of ctx.ports.platforms.connectors.filter(({ tags }) => tags.includes('sample'))) {
    const row = await insertIntegration(scope, {
      workspace_id: owner.workspaceId,
      trellis_code: generateTrellisCode(),
      platform_code: connector.code,
      name: connector.name,
      description: connector.summary,
      settings: JSON.stringify(startValues(connector.setupForma)),
      created_by: owner.createdBy,
    })
    await insertEvent(scope, { integrationId: row.id, profileId: null, what: 'Created with the demo' })
    await beginValidation({ ...ctx, ...scope }, { ...row, is_managed: false })
  }
}
