import { hasConsentLink } from '@trellis/contract/formas/consent'
import type { FormaValues } from '@trellis/contract/formas/forma'
import type { Integration, IntegrationDetails } from '@trellis/contract/integrations/integrations.schemas'
import { platformTables, transaction } from '@trellis/control-db/database'
import { AppError } from '../../platform/app-error.ts'
import type { WorkspaceCtx } from '../../platform/ctx.ts'
import { generateTrellisCode } from '../../platform/trellis-code.ts'
import { listUsers } from './integration-users.ts'
import {
  countIntegrations,
  findIntegrations,
  insertEvent,
  insertIntegration,
  lockIntegration,
  raiseValidation,
  updateIntegrationRow,
} from './integrations.repository.ts'
import { type StoredIntegration, assertOwn, getIntegrationRow, readManaged } from './stored-integration.ts'
import {
  NOT_THERE,
  TOKEN_SECTION,
  canBeSimulated,
  listConnectorsByTags,
  getConnector,
  buildSetupForma,
} from './platforms.ts'
import { openSecrets, sealSecrets } from './sealed-secrets.ts'
import {
  type SettingsParts,
  assertEntered,
  assertRight,
  listChangedLabels,
  splitValues,
  withSecrets,
} from './settings-values.ts'
import { getSetupForma, showDetails, showIntegrations } from './show-integration.ts'
import { dropAbandoned } from './slots/slots.service.ts'
import { deleteLinks, deleteTokens } from './tokens.repository.ts'
import { getToday, validateOrWait } from './validation.ts'

const MAX_INTEGRATIONS = 500

export async function listIntegrations(
  ctx: WorkspaceCtx,
  filter: { platform_trellis_code?: string | undefined; platform_tags?: string | undefined },
): Promise<Integration[]> {
  const isAll = filter.platform_trellis_code === undefined && filter.platform_tags === undefined
  const codes = new Set(listConnectorsByTags(ctx, filter.platform_tags).map(({ code }) => code))
  const isWanted = (code: string) =>
    isAll ||
    ((filter.platform_trellis_code ?? code) === code && (filter.platform_tags === undefined || codes.has(code)))
  const rows = await findIntegrations(ctx, { workspaceId: ctx.workspace.id })
  const knownIntegrations = [await readManaged(ctx), ...rows.map((row) => ({ ...row, is_managed: false }))]
  return await showIntegrations(
    ctx,
    knownIntegrations.filter(({ platform_code }) => isWanted(platform_code)),
  )
}

export const getIntegration = async (ctx: WorkspaceCtx, code: string): Promise<IntegrationDetails> =>
  await showDetails(ctx, await getIntegrationRow(ctx, code))

export interface NewIntegration {
  readonly platform_trellis_code: string
  readonly name: string
  readonly description?: string | undefined
  readonly values: FormaValues
  readonly is_simulated?: boolean | undefined
}

export async function createIntegration(ctx: WorkspaceCtx, body: NewIntegration): Promise<IntegrationDetails> {
  const connector = getConnector(ctx, body.platform_trellis_code)
  if (connector.usesOwnDatabase) throw new AppError('not_found', NOT_THERE)
  const isSimulated = body.is_simulated ?? false
  if (isSimulated && !canBeSimulated(ctx, connector)) {
    throw new AppError('invalid_request', 'This platform can not be tried with sample data here.', {
      source: { pointer: '/is_simulated' },
    })
  }
  const forma = buildSetupForma(ctx, connector, { values: body.values, isSimulated })
  const parts = splitValues(forma, body.values)
  assertRight(forma, withSecrets(parts), getToday(ctx))
  return await transaction(ctx, async (ctx) => {
    if ((await countIntegrations(ctx, { workspaceId: ctx.workspace.id })) >= MAX_INTEGRATIONS) {
      throw new AppError(
        'limit_reached',
        `A workspace can have ${MAX_INTEGRATIONS} connections. Delete one that is not needed.`,
      )
    }
    const made = await insertIntegration(ctx, {
      workspace_id: ctx.workspace.id,
      trellis_code: generateTrellisCode(),
      platform_code: connector.code,
      name: body.name,
      description: body.description ?? '',
      is_simulated: isSimulated,
      created_by: ctx.actor.profileId,
    })
    const row = await writeParts(ctx, { ...made, is_managed: false }, parts)
    await addEvent(ctx, row, `Created as "${row.name}" for ${connector.name}`)
    return await showDetails(ctx, await validateOrWait(ctx, row, withSecrets(parts)))
  })
}

export interface IntegrationChange {
  readonly name?: string | undefined
  readonly description?: string | undefined
  readonly values?: FormaValues | undefined
  readonly version: number
}

export async function updateIntegration(
  ctx: WorkspaceCtx,
  code: string,
  change: IntegrationChange,
): Promise<IntegrationDetails> {
  const knownIntegration = await getIntegrationRow(ctx, code)
  assertOwn(knownIntegration)
  return await transaction(ctx, async (ctx) => {
    const row = await lock(ctx, knownIntegration)
    if (row.version !== change.version) {
      throw new AppError('conflict', 'Somebody else changed this connection meanwhile. Load it again, then change it.')
    }
    const namedIntegration = await rename(ctx, row, change)
    return await showDetails(
      ctx,
      change.values ? await changeValues(ctx, namedIntegration, change.values) : namedIntegration,
    )
  })
}

async function lock(ctx: WorkspaceCtx, { id }: StoredIntegration): Promise<StoredIntegration> {
  const row = await lockIntegration(ctx, id)
  if (!row) throw new AppError('not_found', NOT_THERE)
  return { ...row, is_managed: false }
}

async function rename(
  ctx: WorkspaceCtx,
  row: StoredIntegration,
  change: IntegrationChange,
): Promise<StoredIntegration> {
  const name = change.name ?? row.name
  const description = change.description ?? row.description
  if (name !== row.name) await addEvent(ctx, row, `Renamed from "${row.name}" to "${name}"`)
  if (description !== row.description) await addEvent(ctx, row, 'Description changed')
  const updated = await updateIntegrationRow(ctx, row.id, { name, description, version: row.version + 1 })
  return { ...updated, is_managed: false }
}

/** Unchanged settings are not validated again: renaming must not stop runs. */
async function changeValues(ctx: WorkspaceCtx, row: StoredIntegration, sent: FormaValues): Promise<StoredIntegration> {
  const forma = getSetupForma(ctx, row, sent)
  const kept = await openSecrets(ctx, row)
  const before = withSecrets({ settings: row.settings, secrets: kept })
  const parts = splitValues(forma, sent, kept)
  const after = withSecrets(parts)
  assertRight(forma, after, getToday(ctx))
  const goTo = ctx.ports.platforms.find(row.platform_code)?.secretsGoTo
  const isElsewhere = goTo !== undefined && goTo(before) !== goTo(after)
  if (isElsewhere) assertEntered(forma, parts.secrets, sent)
  const changedLabels = listChangedLabels(forma, before, after)
  if (changedLabels.length === 0) return row
  const writtenIntegration = await writeParts(ctx, row, parts)
  // Tokens belong to the pasted token, or to the address and sign-in method of the consent.
  const isOtherToken = JSON.stringify(before[TOKEN_SECTION]) !== JSON.stringify(after[TOKEN_SECTION])
  if (isElsewhere || isOtherToken || !hasConsentLink(forma, after)) await deleteTokens(ctx, row.id)
  await addEvent(ctx, row, `Settings changed: ${changedLabels.join(', ')}`)
  return await validateOrWait(ctx, writtenIntegration, after)
}

async function writeParts(ctx: WorkspaceCtx, row: StoredIntegration, parts: SettingsParts): Promise<StoredIntegration> {
  const written = await updateIntegrationRow(ctx, row.id, {
    settings: JSON.stringify(parts.settings),
    secrets: await sealSecrets(ctx, row, parts.secrets),
    secrets_set: JSON.stringify(Object.keys(parts.secrets)),
  })
  return { ...written, is_managed: false }
}

/** Soft delete, but secrets are deleted at once. */
export async function deleteIntegration(ctx: WorkspaceCtx, code: string): Promise<{ done: true }> {
  const knownIntegration = await getIntegrationRow(ctx, code)
  assertOwn(knownIntegration)
  const left = await dropAbandoned({ ...ctx, db: platformTables(ctx) }, code)
  return await transaction(ctx, async (ctx) => {
    const row = await lock(ctx, knownIntegration)
    const users = await listUsers(ctx, row)
    if (users.length > 0) {
      const names = users.map(({ kind, name }) => `the ${kind} "${name}"`).join(', ')
      throw new AppError('integration_in_use', `This connection is used by ${names}. Take it out there first.`)
    }
    await deleteTokens(ctx, row.id)
    await deleteLinks(ctx, row.id)
    await raiseValidation(ctx, row.id, { state: 'ARCHIVED', secrets: null, secrets_set: '[]', validation: null })
    await addEvent(ctx, row, left.length === 0 ? 'Deleted' : `Deleted; drop at the source: ${left.join(', ')}`)
    return { done: true }
  })
}

async function addEvent(ctx: WorkspaceCtx, row: StoredIntegration, what: string): Promise<void> {
  await insertEvent(ctx, { integrationId: row.id, profileId: ctx.actor.profileId, what })
  ctx.http.addAuditDetail({ integration: row.trellis_code, name: row.name, what })
}
