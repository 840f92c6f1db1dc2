import { type Engine, createEngine } from '@trellis/assistant/engine/answer'
import { type DescribedTable, readForeignKeyLinks, readTables } from '@trellis/workspace-db/catalogue/read-tables'
import type { WorkspaceCtx } from '../../../platform/ctx.ts'
import { listTableLabels } from '../../explorer/table-names.service.ts'
import type { ContextRow } from '../contexts.repository.ts'
import type { ProjectTable } from '../../ai-projects/projects.service.ts'
import { readMetrics } from '../metrics/read-metrics.ts'
import type { ProjectSession } from './project-session.service.ts'

export interface ProjectCatalogue {
  readonly tables: readonly DescribedTable[]
  readonly engine: Engine
}

interface ChosenTables {
  readonly integrationCode: string
  readonly chosen: readonly ProjectTable[]
  readonly contexts: readonly ContextRow[]
}

export async function readCatalogue(
  ctx: WorkspaceCtx,
  { session }: ProjectSession,
  { integrationCode, chosen, contexts }: ChosenTables,
): Promise<ProjectCatalogue> {
  const addresses = chosen.map(({ schema_name, table_name }) => ({ schema: schema_name, name: table_name }))
  const tables = await readTables(session, addresses)
  const foreignKeys = await readForeignKeyLinks(session, addresses)
  const labels = await listTableLabels(ctx, integrationCode, new Set(tables.map(({ schema }) => schema)))
  const synonyms = contexts
    .filter(({ kind }) => kind === 'synonym')
    .map(({ name, text }) => ({ term: name, words: text.split(/[,;\n]/).flatMap((word) => word.trim() || []) }))
  const described = tables.map((table) => ({
    ...table,
    labels: labels.get(JSON.stringify([table.schema, table.name])) ?? [],
  }))
  const metrics = await readMetrics(contexts, integrationCode)
  return { tables, engine: createEngine({ tables: described, foreignKeys, synonyms, metrics }) }
}
