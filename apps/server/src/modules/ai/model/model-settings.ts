import { type ModelFetch, ModelFault, type ModelSettings } from '@trellis/assistant/model/model-port'
import { probeModel } from '@trellis/assistant/model/probe-model'
import type { AiModel, UpdateAiModelRequest } from '@trellis/contract/ai/models.schemas'
import { AppError } from '../../../platform/app-error.ts'
import type { AccountCtx, BaseCtx } from '../../../platform/ctx.ts'
import { OutgoingProblem } from '../../../platform/safe-http/problem.ts'
import { type ModelRow, deleteModelRow, findModelRow, saveModelRow } from './model-settings.repository.ts'

const PROBE_TIMEOUT_MS = 25_000
const MAX_ANSWER_BYTES = 8 * 1024 * 1024

const toPlace = ({ account }: AccountCtx) => ({ scope: `account:${account.id}`, field: 'ai-model' })

/** SSRF-safe and without redirects, so that the key is sent to one host only. */
export const toModelFetch =
  ({ ports }: Pick<BaseCtx, 'ports'>): ModelFetch =>
  (url, init) =>
    ports.http.fetch(url, {
      ...init,
      redirects: 0,
      timeoutMs: ports.config.modelIdleMs,
      idleMs: ports.config.modelIdleMs,
      maxBytes: MAX_ANSWER_BYTES,
    })

export interface UsedModel {
  readonly settings: ModelSettings
  readonly source: 'account' | 'installation'
  readonly canUseTools: boolean
  readonly creditsPerAnswer: number
}

export async function findModel(ctx: AccountCtx): Promise<UsedModel | undefined> {
  const row = await findModelRow(ctx)
  if (row) {
    return {
      settings: await openSettings(ctx, row),
      source: 'account',
      canUseTools: row.can_use_tools,
      creditsPerAnswer: 0,
    }
  }
  const { model } = ctx.ports.config
  if (!model) return undefined
  const { creditsPerAnswer, ...settings } = model
  return { settings, source: 'installation', canUseTools: true, creditsPerAnswer }
}

export const findModelName = async (ctx: AccountCtx): Promise<string | null> =>
  (await findModelRow(ctx))?.model ?? ctx.ports.config.model?.model ?? null

async function openSettings(ctx: AccountCtx, row: ModelRow): Promise<ModelSettings> {
  const apiKey = row.sealed_key === null ? null : await ctx.ports.secrets.open(ctx, toPlace(ctx), row.sealed_key)
  return { protocol: row.protocol, baseUrl: row.base_url, model: row.model, apiKey }
}

export async function getAiModel(ctx: AccountCtx): Promise<AiModel> {
  const row = await findModelRow(ctx)
  if (row) {
    const { sealed_key, checked_at, ...shown } = row
    const more = { has_key: sealed_key !== null, checked_at: checked_at.toISOString(), credits_per_answer: 0 }
    return { source: 'account', ...shown, ...more }
  }
  const { model } = ctx.ports.config
  return {
    source: model ? 'installation' : 'none',
    protocol: model?.protocol ?? null,
    base_url: null,
    model: model?.model ?? null,
    has_key: model ? model.apiKey !== null : false,
    can_stream: null,
    can_use_tools: null,
    context_tokens: null,
    checked_at: null,
    credits_per_answer: model?.creditsPerAnswer ?? 0,
  }
}

export async function updateAiModel(ctx: AccountCtx, body: UpdateAiModelRequest): Promise<AiModel> {
  const base_url = body.base_url.replace(/\/+$/, '')
  const before = await findModelRow(ctx)
  const keepsKey = body.api_key === undefined && before !== undefined && before.sealed_key !== null
  // A key must never be sent to another address than it was entered for.
  if (keepsKey && new URL(before.base_url).origin !== new URL(base_url).origin) {
    throw new AppError('invalid_request', 'Enter the key again for another address.', {
      source: { pointer: '/api_key' },
    })
  }
  const apiKey = body.api_key ?? (before ? (await openSettings(ctx, before)).apiKey : null)
  const settings = { protocol: body.protocol, baseUrl: base_url, model: body.model, apiKey }
  const probe = await runProbe(ctx, settings)
  await saveModelRow(ctx, {
    protocol: body.protocol,
    base_url,
    model: body.model,
    sealed_key: apiKey === null ? null : await ctx.ports.secrets.seal(ctx, toPlace(ctx), apiKey),
    can_stream: probe.canStream,
    can_use_tools: probe.canUseTools,
    context_tokens: probe.contextTokens,
    checked_at: ctx.clock.now(),
  })
  ctx.http.addAuditDetail({ model: body.model, address: base_url })
  return await getAiModel(ctx)
}

async function runProbe(ctx: AccountCtx, settings: ModelSettings) {
  const signal = AbortSignal.any([ctx.http.signal, AbortSignal.timeout(PROBE_TIMEOUT_MS)])
  try {
    const probe = await probeModel(settings, toModelFetch(ctx), signal)
    if (!probe.canStream) throw new ModelFault('malformed', 'The model answered nothing.')
    return probe
  } catch (error) {
    throw toModelProblem(error, signal)
  }
}

export function toModelProblem(error: unknown, signal: AbortSignal): unknown {
  if (error instanceof ModelFault || error instanceof OutgoingProblem) {
    return new AppError('integration_problem', error.message, { cause: error })
  }
  if (signal.aborted && signal.reason instanceof DOMException && signal.reason.name === 'TimeoutError') {
    return new AppError('integration_problem', 'The model did not answer in time.', { cause: error })
  }
  return error
}

export async function deleteAiModel(ctx: AccountCtx): Promise<{ done: true }> {
  await deleteModelRow(ctx)
  return { done: true }
}
