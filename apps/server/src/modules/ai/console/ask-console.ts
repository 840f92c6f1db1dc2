import { randomUUID } from 'node:crypto'
import type { ModelUsage, ToolCall } from '@trellis/assistant/model/model-port'
import { openModel } from '@trellis/assistant/model/open-model'
import type { ConsoleAnswer, ConsoleRequest } from '@trellis/contract/ai/console.endpoints'
import { transaction } from '@trellis/control-db/database'
import { AppError } from '../../../platform/app-error.ts'
import type { WorkspaceCtx } from '../../../platform/ctx.ts'
import { assertCreditsFor, spendCredits } from '../../billing/credits.service.ts'
import { sumReservedCredits } from '../conversations.repository.ts'
import { type UsedModel, findModel, toModelFetch, toModelProblem } from '../model/model-settings.ts'

const MAX_OUTPUT_TOKENS = 4000
const MAX_CHARACTERS = 100_000
const TIMEOUT_MS = 120_000

/** Sends the prompt as is, without tables, context or tools. Failures are free. */
export async function askConsole(ctx: WorkspaceCtx, request: ConsoleRequest): Promise<ConsoleAnswer> {
  const model = await findModel(ctx)
  if (!model) throw new AppError('invalid_request', 'No model is connected. Connect one in the account settings.')
  if (request.model !== undefined && model.source !== 'account') {
    const source = { pointer: '/model' }
    throw new AppError('invalid_request', 'Another model can be tried once the account has a model of its own.', {
      source,
    })
  }
  const amount = model.creditsPerAnswer
  if (amount > 0) {
    const countReserved = async () => await sumReservedCredits(ctx)
    await transaction(ctx, (ctx) => assertCreditsFor(ctx, { accountId: ctx.account.id, amount, countReserved }))
  }
  const answer = await stream(ctx, model, request)
  if (amount > 0) {
    const payer = { accountId: ctx.account.id, workspaceId: ctx.workspace.id, profileId: ctx.actor.profileId }
    await transaction(ctx, (ctx) => spendCredits(ctx, { ...payer, amount, reason: 'console', reference: randomUUID() }))
  }
  ctx.http.addAuditDetail({ model: answer.model })
  return { ...answer, credits_spent: amount }
}

async function stream(
  ctx: WorkspaceCtx,
  { settings }: UsedModel,
  { system, prompt, model = settings.model, tools }: ConsoleRequest,
): Promise<Omit<ConsoleAnswer, 'credits_spent'>> {
  const signal = AbortSignal.any([ctx.http.signal, AbortSignal.timeout(TIMEOUT_MS)])
  const port = openModel({ ...settings, model }, toModelFetch(ctx))
  const startedAt = performance.now()
  const elapsed = () => Math.round(performance.now() - startedAt)
  let text = ''
  let firstMs: number | null = null
  let usage: ModelUsage = { inputTokens: 0, outputTokens: 0 }
  const calls: ToolCall[] = []
  try {
    const messages = [{ role: 'user', text: prompt }] as const
    for await (const event of port.stream({ system, messages, tools, maxOutputTokens: MAX_OUTPUT_TOKENS }, signal)) {
      if (event.kind === 'end') usage = event.usage
      else firstMs ??= elapsed()
      if (event.kind === 'text') text += event.text
      if (event.kind === 'tool_call') calls.push(event.call)
      if (text.length > MAX_CHARACTERS) break
    }
  } catch (error) {
    throw toModelProblem(error, signal)
  }
  return {
    model,
    text,
    calls: calls.map(({ name, arguments: values }) => ({ name, arguments: values })),
    input_tokens: usage.inputTokens,
    output_tokens: usage.outputTokens,
    first_ms: firstMs,
    duration_ms: elapsed(),
  }
}
