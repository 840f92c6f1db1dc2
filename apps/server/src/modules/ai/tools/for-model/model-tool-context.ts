import type { ChartColumn, ChartRows } from '@trellis/contract/charts/suggest-chart'
import type { DescribedTable } from '@trellis/workspace-db/catalogue/read-tables'
import type { WorkspaceCtx } from '../../../../platform/ctx.ts'
import type { AnswerParts } from '../../answer/answer-parts.ts'
import type { ContextRow } from '../../contexts.repository.ts'
import type { ProjectTable } from '../../../ai-projects/projects.service.ts'

export interface ProjectDatabase {
  readonly integrationCode: string
  readonly chosen: readonly ProjectTable[]
  readonly tables: readonly DescribedTable[]
}

export interface ModelToolContext {
  readonly ctx: WorkspaceCtx
  readonly parts: AnswerParts
  readonly projectId: number
  readonly projectCode: string
  readonly conversationId: number
  readonly messageId: number
  readonly signal: AbortSignal
  readonly databases: readonly ProjectDatabase[]
  readonly contexts: readonly ContextRow[]
  lastTable: { readonly columns: readonly ChartColumn[]; readonly rows: ChartRows } | undefined
  readonly used: Map<string, { readonly integrationCode: string; readonly table: DescribedTable }>
}

export const readText = (input: Readonly<Record<string, unknown>>, name: string): string | undefined => {
  const value = input[name]
  return typeof value === 'string' && value.trim() ? value.trim() : undefined
}
