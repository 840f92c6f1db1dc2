import type { Connector } from '@trellis/connector-kit/connector'
import { ConnectorError } from '@trellis/connector-kit/connector-error'
import { tryManifest } from '@trellis/connector-kit/rest/trial'
import type { RestTrial, RestTrialResult } from '@trellis/contract/integrations/integrations.schemas'
import { type RestManifest, RestManifest as Manifest } from '@trellis/contract/integrations/rest-manifest'
import * as z from 'zod/mini'
import { AppError } from '../../platform/app-error.ts'
import type { WorkspaceCtx } from '../../platform/ctx.ts'
import { ASK_MS } from './call-platform.ts'
import { withAskSlot } from './connection/ask-slots.ts'
import { raceWithSignal } from './connection/or-ended.ts'
import { isUnexpected, toProblem, scrubbedError } from './connection/problem.ts'
import { buildConnection, withInteractiveLimits } from './connections.service.ts'
import { type StoredIntegration, getIntegrationRow, withoutRow } from './stored-integration.ts'
import { NOT_THERE } from './platforms.ts'
import { openSecrets } from './sealed-secrets.ts'
import { auditSeenRows } from './connection/seen-rows.ts'
import { listElements } from './settings-values.ts'

type Trial = z.infer<typeof RestTrial>

const INPUTS = 'inputs'

export async function tryRestSource(ctx: WorkspaceCtx, trial: Trial): Promise<RestTrialResult> {
  return await withAskSlot(ctx.account, async () => await runTrial(ctx, trial))
}

async function runTrial(ctx: WorkspaceCtx, trial: Trial): Promise<RestTrialResult> {
  const connector = ctx.ports.platforms.connectors.find(hasManifest)
  if (!connector) throw new AppError('not_found', NOT_THERE)
  const { integration_trellis_code: code } = trial
  const row = code === undefined ? withoutRow(ctx, connector.code) : await getIntegrationRow(ctx, code)
  if (row.platform_code !== connector.code) throw new AppError('not_found', NOT_THERE)
  const signal = AbortSignal.any([ctx.http.signal, AbortSignal.timeout(ASK_MS)])
  const storedSecrets = await findStoredSecrets(ctx, row, trial)
  const config = { ...storedSecrets, ...withoutEmpty(trial.values[INPUTS]) }
  const secrets = [...Object.values(storedSecrets), ...listSecretValues(trial.manifest, config)]
  const values = { ...trial.values, [INPUTS]: config }
  const bare = { ...withoutRow(ctx, connector.code), is_simulated: row.is_simulated }
  const { context, scrub } = withInteractiveLimits(
    buildConnection(ctx, { row: bare, connector, values, secrets }, signal),
  )
  if (code !== undefined) await auditSeenRows(ctx, row)
  try {
    const { manifest, stream, pages } = trial
    const [host] = Object.keys(connector.hosts)
    const baseUrl = row.is_simulated && host !== undefined ? context.getHost(host) : undefined
    const work = tryManifest(context, { manifest, stream, pages, config, platform: connector.name, baseUrl })
    return scrub.deep(await raceWithSignal(work, signal))
  } catch (error) {
    if (ctx.http.signal.aborted) throw new AppError('integration_problem', 'The call was left before it was answered.')
    const fault = signal.aborted ? new ConnectorError('transient', 'The source did not answer in time.') : error
    if (isUnexpected(fault)) ctx.log.error({ fault: scrubbedError(fault, scrub) }, 'A trial failed unexpectedly.')
    return { pages: [], preview: null, problem: toProblem(fault, scrub), faults: [] }
  }
}

const hasManifest = ({ setupForma }: Connector) =>
  listElements(setupForma).some(({ element }) => element.type === 'rest_manifest')

const withoutEmpty = (values: Record<string, unknown> = {}) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== '' && value !== null))

function listSecretValues({ inputs }: RestManifest, config: Readonly<Record<string, unknown>>): string[] {
  return inputs.flatMap(({ reference, is_secret }) => {
    const value = config[reference]
    return is_secret && typeof value === 'string' ? [value] : []
  })
}

/** Stored secrets are sent only to their connection's address: otherwise a manifest could send them to an attacker. */
async function findStoredSecrets(
  ctx: WorkspaceCtx,
  row: StoredIntegration,
  trial: Trial,
): Promise<Readonly<Record<string, string>>> {
  const kept = await openSecrets(ctx, row)
  const own = Object.fromEntries(
    Object.entries(kept).flatMap(([name, secret]) =>
      isStillSecret(trial, name) ? [[name.slice(INPUTS.length + 1), secret]] : [],
    ),
  )
  if (Object.keys(own).length === 0) return {}
  const before = findManifest(row)
  const isFixed = before?.base_url === trial.manifest.base_url && !before.base_url.includes('{{')
  if (isFixed) return own
  const isGiven = trial.manifest.inputs.every(
    ({ reference, is_secret }) => !is_secret || Boolean(trial.values[INPUTS]?.[reference]),
  )
  if (isGiven) return {}
  throw new AppError(
    'invalid_request',
    'Enter the secrets again: they are kept for the old address only, and never sent to another one.',
    {
      source: { pointer: `/values/${INPUTS}` },
    },
  )
}

/** A manifest must not turn a secret into a plain input, which would be shown. */
const isStillSecret = ({ manifest }: Trial, name: string) =>
  manifest.inputs.some(({ reference, is_secret }) => is_secret && name === `${INPUTS}.${reference}`)

function findManifest({ settings }: StoredIntegration): RestManifest | undefined {
  for (const section of Object.values(settings)) {
    for (const value of Object.values(section)) {
      const manifest = z.safeParse(Manifest, value)
      if (manifest.success) return manifest.data
    }
  }
  return undefined
}
