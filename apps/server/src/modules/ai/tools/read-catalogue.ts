import { type Engine, createEngine } from '@trellis/assistant/engine/answer'
import { type DescribedTable, readLinks, readTables } from '@trellis/workspace-db/catalogue/read-tables'
import type { ContextRow } from '../contexts.repository.ts'
import type { ProjectTable } from '../projects.repository.ts'
import type { ProjectSession } from './project-session.ts'

export interface ProjectCatalogue {
  readonly tables: readonly DescribedTable[]
  readonly engine: Engine
}

/** Names, comments, keys and sample values of a project's tables, with the words of its business context. */
export async function readCatalogue(
  { session }: ProjectSession,
  chosen: readonly ProjectTable[],
  contexts: readonly ContextRow[],
): Promise<ProjectCatalogue> {
  const addresses = chosen.map(({ schema_name, table_name }) => ({ schema: schema_name, name: table_name }))
  const tables = await readTables(session, addresses)
  const foreignKeys = await readLinks(session, addresses)
  const synonyms = contexts
    .filter(({ kind }) => kind === 'synonym')
    .map(({ name, text }) => ({ term: name, words: text.split(/[,;\n]/).flatMap((word) => word.trim() || []) }))
  return {
    tables,
    engine: createEngine({ tables: tables.map((table) => ({ ...table, labels: [] })), foreignKeys, synonyms }),
  }
}
