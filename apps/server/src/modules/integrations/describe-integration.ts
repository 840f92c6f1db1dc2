import type { FormaElement } from '@trellis/contract/formas/forma'
import { listShownSections, getValue } from '@trellis/contract/formas/forma-rules'
import type { IntegrationDescription } from '@trellis/contract/integrations/integrations.schemas'
import type { WorkspaceCtx } from '../../platform/ctx.ts'
import { listUsers } from './integration-users.ts'
import { findEvents } from './integrations.repository.ts'
import { type StoredIntegration, getIntegrationRow } from './stored-integration.ts'
import { listElements } from './settings-values.ts'
import { getSetupForma, showIntegration } from './show-integration.ts'

export async function describeIntegration(ctx: WorkspaceCtx, code: string): Promise<IntegrationDescription> {
  const row = await getIntegrationRow(ctx, code)
  const connector = ctx.ports.platforms.find(row.platform_code)
  const events = row.is_managed ? [] : await findEvents(ctx, row.id)
  const labels = new Map(listElements(getSetupForma(ctx, row)).map(({ name, element }) => [name, element.label]))
  return {
    ...(await showIntegration(ctx, row)),
    documentation: connector ? ctx.ports.platforms.readDocumentation(connector) : '',
    settings: describeSettings(ctx, row),
    secrets_set: row.secrets_set.map((name) => labels.get(name) ?? name),
    used_by: await listUsers(ctx, row),
    history: events.map(({ at, who, what }) => ({ at: at.toISOString(), who, what })),
  }
}

function describeSettings(ctx: WorkspaceCtx, row: StoredIntegration): { label: string; value: string }[] {
  return listShownSections(getSetupForma(ctx, row), row.settings).flatMap((section) =>
    section.elements.flatMap((element) => {
      if (element.type === 'secret' || element.type === 'oauth_link') return []
      const value = getValue(row.settings, section.reference, element.reference)
      return value === undefined || value === '' ? [] : [{ label: element.label, value: formatSetting(element, value) }]
    }),
  )
}

function formatSetting(element: FormaElement, value: unknown): string {
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  if (element.type === 'select' || element.type === 'multi_select') {
    const labels = new Map(element.properties.options.map((option) => [option.value, option.label]))
    return [value]
      .flat()
      .map((item) => labels.get(String(item)) ?? String(item))
      .join(', ')
  }
  return typeof value === 'string' ? value : JSON.stringify(value)
}
