import type { SourceSettings, WriteStep } from '@trellis/contract/dataflows/task-blocks.schemas'
import { TablePick } from '@trellis/contract/formas/forma-rules'
import * as z from 'zod/mini'
import type { Settings } from '@trellis/contract/dataflows/start-settings'

export interface TableName {
  readonly schema_name: string
  readonly table_name: string
}

export function listWriteSteps(settings: Settings): WriteStep[] {
  const steps =
    'subtasks' in settings ? settings.subtasks.map(({ write }) => write) : 'write' in settings ? [settings.write] : []
  return steps.filter((step) => step !== null)
}

export const listWrittenTables = (settings: Settings): TableName[] =>
  listWriteSteps(settings).map(({ schema_name, table_name }) => ({ schema_name, table_name }))

export function listReadTables(settings: Settings): TableName[] {
  if ('subtasks' in settings) {
    return settings.subtasks.flatMap(({ query }) => {
      const tablePick = z.safeParse(TablePick, query['query']?.['table'])
      const isTable = (query['query']?.['kind'] ?? 'table') === 'table'
      return isOwnDatabase(settings) && isTable && tablePick.success && tablePick.data.table
        ? [{ schema_name: tablePick.data.schema, table_name: tablePick.data.table }]
        : []
    })
  }
  return settings.input && !('sql' in settings.input) ? [settings.input] : []
}

export function listSqlTexts(settings: Settings): string[] {
  if ('subtasks' in settings) {
    return settings.subtasks.flatMap(({ query }) => {
      const { kind, sql } = query['query'] ?? {}
      return isOwnDatabase(settings) && kind === 'sql' && typeof sql === 'string' ? [sql] : []
    })
  }
  const code = 'language' in settings && settings.language === 'sql' ? [settings.code] : []
  return [...code, ...(settings.input && 'sql' in settings.input ? [settings.input.sql] : [])]
}

/** Must match `managedCode`. */
const isOwnDatabase = ({ integration_trellis_code }: SourceSettings): boolean =>
  integration_trellis_code?.endsWith('-db') ?? false
