import { suggestChart } from '@trellis/contract/charts/suggest-chart'
import type { MessagePart } from '@trellis/contract/ai/message-parts.schemas'
import type { WorkspaceCtx } from '../../../platform/ctx.ts'
import { toColumnsOfResult } from '../../sql/result-columns.service.ts'
import type { ContextRow } from '../contexts.repository.ts'
import { auditQuery } from '../tools/audit-query.service.ts'
import type { ProjectSession } from '../tools/project-session.service.ts'
import type { ProjectCatalogue } from '../tools/read-catalogue.ts'
import { readSources } from '../tools/read-sources.ts'
import { runSql, toQueryAccount } from '../tools/run-sql.service.ts'
import type { AnswerParts } from './answer-parts.ts'

export interface QuestionInput {
  readonly text: string
  readonly choices: Readonly<Record<string, string>>
  readonly projectId: number
  readonly conversationId: number
  readonly messageId: number
  readonly signal: AbortSignal
}

export interface AnswerContext {
  readonly ctx: WorkspaceCtx
  readonly input: QuestionInput
  readonly parts: AnswerParts
  readonly contexts: readonly ContextRow[]
  readonly integrationCode: string
  readonly opened: ProjectSession
  readonly catalogue: ProjectCatalogue
}

export type ShownRows = Pick<Extract<MessagePart, { kind: 'table' }>, 'columns' | 'rows'>

interface ShownQuery {
  readonly sql: string
  readonly contexts?: readonly ContextRow[]
  readonly isCharted?: boolean
  readonly addColumns?: (rows: ShownRows) => ShownRows
}

export async function runQuery(
  { ctx, parts, opened, catalogue, integrationCode }: AnswerContext,
  { sql, contexts = [], isCharted = true, addColumns }: ShownQuery,
): Promise<boolean> {
  const base = { kind: 'sql', integration_trellis_code: integrationCode, sql } as const
  const id = parts.add({ ...base, account: null })
  const { account, result } = await runSql(opened, { sql, tables: catalogue.tables })
  parts.set(id, { ...base, account: toQueryAccount(account) })
  await auditQuery(ctx, { sql, account, asker: 'rules' })
  if (!result) {
    parts.add({
      kind: 'problem',
      message: account.refusal?.message ?? 'The query was refused.',
      hint: account.refusal?.hint ?? null,
    })
    return false
  }
  const found = { columns: toColumnsOfResult(result), rows: result.rows.map((row) => [...row]) }
  const { columns, rows } = addColumns?.(found) ?? found
  parts.add({ kind: 'table', columns, rows, is_cut: account.cutAt !== null })
  const chart = isCharted ? suggestChart(columns, rows) : null
  if (chart) parts.add({ kind: 'chart', chart })
  const read = catalogue.tables.filter(({ schema, name }) =>
    account.tables.some((table) => table.schema === schema && table.name === name),
  )
  const tables = await readSources(ctx, { integrationCode, tables: read })
  parts.add({
    kind: 'sources',
    tables,
    contexts: contexts.map(({ trellis_code, name }) => ({ context_trellis_code: trellis_code, name })),
  })
  return true
}
