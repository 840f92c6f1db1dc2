import { hasConsentLink } from '@trellis/contract/formas/consent'
import type { Forma, FormaValues } from '@trellis/contract/formas/forma'
import type {
  Integration,
  IntegrationDetails,
  Problem,
  ValidationStatus,
} from '@trellis/contract/integrations/integrations.schemas'
import type { WorkspaceCtx } from '../../platform/ctx.ts'
import { readProfileNames } from '../profile/names.service.ts'
import type { StoredIntegration } from './stored-integration.ts'
import { listPlatformKinds, buildSetupForma } from './platforms.ts'
import { type TokenRow, findTokens, isConsentOver } from './tokens.repository.ts'

const NOTHING: Forma = { forma_trellis_code: 'nothing', title: '', sections: [] }

const toIso = (date: Date | null) => date?.toISOString() ?? null

export async function showIntegrations(ctx: WorkspaceCtx, rows: readonly StoredIntegration[]): Promise<Integration[]> {
  const names = await readProfileNames(
    ctx,
    rows.map((row) => row.created_by),
  )
  const tokens = await findTokens(
    ctx,
    rows.filter(({ is_managed }) => !is_managed).map((row) => row.id),
  )
  return rows.map((row) => {
    const connector = ctx.ports.platforms.find(row.platform_code)
    return {
      integration_trellis_code: row.trellis_code,
      platform_trellis_code: row.platform_code,
      platform_name: connector?.name ?? row.platform_code,
      icon: connector ? ctx.ports.platforms.readIcon(connector) : '',
      kinds: connector ? listPlatformKinds(connector) : [],
      name: row.name,
      description: row.description,
      state: row.state,
      is_managed: row.is_managed,
      is_simulated: row.is_simulated,
      validation: row.validation,
      validated_at: toIso(row.validation_finished_at),
      problem: row.problem as Problem | null,
      oauth: toConsent(ctx, row, tokens.get(row.id)),
      created_by: (row.created_by !== null && names.get(row.created_by)) || null,
      created_at: row.created_at.toISOString(),
      updated_at: row.updated_at.toISOString(),
    }
  })
}

function toConsent(ctx: WorkspaceCtx, row: StoredIntegration, tokens: TokenRow | undefined): Integration['oauth'] {
  const { oauth } = ctx.ports.platforms.find(row.platform_code) ?? {}
  if (!oauth || !hasConsentLink(getSetupForma(ctx, row), row.settings)) return null
  return {
    is_linked: tokens !== undefined && !isConsentOver(tokens, ctx.clock.now()),
    linked_as: tokens?.linked_as ?? null,
    linked_at: toIso(tokens?.linked_at ?? null),
    expires_at: toIso(tokens?.consent_expires_at ?? null),
  }
}

export async function showIntegration(ctx: WorkspaceCtx, row: StoredIntegration): Promise<Integration> {
  const [shown] = await showIntegrations(ctx, [row])
  return shown as Integration
}

/** The forma may depend on values; pass those that are not saved yet. */
export function getSetupForma(
  ctx: Pick<WorkspaceCtx, 'ports'>,
  row: StoredIntegration,
  values: FormaValues = row.settings,
): Forma {
  const connector = ctx.ports.platforms.find(row.platform_code)
  return connector ? buildSetupForma(ctx, connector, { values, isSimulated: row.is_simulated }) : NOTHING
}

export async function showDetails(ctx: WorkspaceCtx, row: StoredIntegration): Promise<IntegrationDetails> {
  return {
    ...(await showIntegration(ctx, row)),
    forma: getSetupForma(ctx, row),
    values: row.settings,
    secrets_set: row.secrets_set,
    version: row.version,
  }
}

export function showValidation(row: StoredIntegration): ValidationStatus {
  return {
    status: row.validation,
    state: row.state,
    started_at: toIso(row.validation_started_at),
    finished_at: toIso(row.validation_finished_at),
    problem: row.problem as Problem | null,
    found: row.found,
  }
}
