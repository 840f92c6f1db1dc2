import type { ChartSpec } from '@trellis/contract/charts/charts.schemas'
import { AppError } from '../../platform/app-error.ts'
import type { WorkspaceCtx } from '../../platform/ctx.ts'
import { findMessage } from './conversations.repository.ts'

interface AnsweredQuery {
  readonly integrationCode: string
  readonly sql: string
  readonly chart: ChartSpec | null
}

export async function getAnsweredQueries(
  ctx: WorkspaceCtx,
  place: { conversationCode: string; messageCode: string },
): Promise<{ question: string; queries: AnsweredQuery[] }> {
  const row = await findMessage(ctx, place.messageCode)
  if (!row || row.conversation_code !== place.conversationCode || row.role !== 'assistant') {
    throw new AppError('not_found', 'There is nothing at this address, or you have no access to it.')
  }
  const queries: AnsweredQuery[] = []
  for (const part of row.parts) {
    const last = queries.at(-1)
    if (part.kind === 'sql' && part.account && !part.account.refusal) {
      queries.push({ integrationCode: part.integration_trellis_code, sql: part.sql, chart: null })
    } else if (part.kind === 'chart' && last) {
      queries[queries.length - 1] = { ...last, chart: part.chart }
    }
  }
  return { question: row.text, queries }
}
