import type { FormaValues } from '@trellis/contract/formas/forma'
import { hasConsentLink } from '@trellis/contract/formas/consent'
import type { ValidationStatus } from '@trellis/contract/integrations/integrations.schemas'
import { transaction } from '@trellis/control-db/database'
import type { AccountScope } from '@trellis/control-db/scoped'
import { enqueue } from '@trellis/jobs/enqueue'
import { AppError } from '../../platform/app-error.ts'
import type { BaseCtx, WorkspaceCtx } from '../../platform/ctx.ts'
import { validateIntegration as validateJob } from './integrations.jobs.ts'
import { raiseValidation } from './integrations.repository.ts'
import { type StoredIntegration, getIntegrationRow } from './stored-integration.ts'
import { TOKEN_SECTION } from './platforms.ts'
import { openSecrets } from './sealed-secrets.ts'
import { isComplete, listMissingNames, withSecrets } from './settings-values.ts'
import { getSetupForma, showValidation } from './show-integration.ts'
import { findTokens, isConsentOver } from './tokens.repository.ts'

type Ctx = AccountScope & Pick<BaseCtx, 'clock' | 'ports'>

export const getToday = ({ clock }: Pick<BaseCtx, 'clock'>) => clock.now().toISOString().slice(0, 10)

async function findMissingSettings(ctx: Ctx, row: StoredIntegration, values: FormaValues): Promise<string | undefined> {
  const forma = getSetupForma(ctx, row, values)
  if (!isComplete(forma, values, getToday(ctx))) {
    const names = listMissingNames(forma, values, getToday(ctx))
    return names.length > 0 ? `Fill in ${names.join(', ')} first.` : 'Fill in the settings first.'
  }
  const provider = providerToAsk(ctx, row, values)
  if (provider === undefined) return undefined
  const storedTokens = (await findTokens(ctx, [row.id])).get(row.id)
  if (storedTokens && !isConsentOver(storedTokens, ctx.clock.now())) return undefined
  return `Give your consent on the page of ${provider} first.`
}

/** None if a token was pasted or another method was chosen. */
function providerToAsk(ctx: Ctx, row: StoredIntegration, values: FormaValues): string | undefined {
  const connector = ctx.ports.platforms.find(row.platform_code)
  if (!connector?.oauth) return undefined
  if (Object.values(values[TOKEN_SECTION] ?? {}).some((value) => typeof value === 'string' && value !== ''))
    return undefined
  return hasConsentLink(getSetupForma(ctx, row, values), values) ? connector.oauth.provider : undefined
}

export async function validateOrWait(
  ctx: Ctx,
  row: StoredIntegration,
  values: FormaValues,
): Promise<StoredIntegration> {
  if ((await findMissingSettings(ctx, row, values)) === undefined) return await beginValidation(ctx, row)
  const waiting = await raiseValidation(ctx, row.id, {
    state: 'SETUP',
    validation: null,
    validation_started_at: null,
    validation_finished_at: null,
    problem: null,
    found: '[]',
  })
  return { ...waiting, is_managed: false }
}

export async function beginValidation(ctx: Ctx, row: StoredIntegration): Promise<StoredIntegration> {
  return await transaction(ctx, async (ctx) => {
    const raised = await raiseValidation(ctx, row.id, {
      state: 'VALIDATING',
      validation: 'VALIDATING',
      validation_started_at: ctx.clock.now(),
      validation_finished_at: null,
      problem: null,
    })
    const payload = { integration_id: raised.id, number: raised.validation_number }
    await enqueue(ctx, validateJob, payload, { group: String(row.account_id) })
    return { ...raised, is_managed: false }
  })
}

export async function startValidation(ctx: WorkspaceCtx, code: string): Promise<ValidationStatus> {
  const row = await getIntegrationRow(ctx, code)
  if (row.is_managed) return showValidation(row)
  const values = withSecrets({ settings: row.settings, secrets: await openSecrets(ctx, row) })
  await assertUsable(ctx, row, values)
  return showValidation(await beginValidation(ctx, row))
}

export async function assertUsable(ctx: Ctx, row: StoredIntegration, values: FormaValues): Promise<void> {
  const missingSetting = await findMissingSettings(ctx, row, values)
  if (missingSetting !== undefined) throw new AppError('integration_incomplete', missingSetting)
}

export const getValidationStatus = async (ctx: WorkspaceCtx, code: string): Promise<ValidationStatus> =>
  showValidation(await getIntegrationRow(ctx, code))
