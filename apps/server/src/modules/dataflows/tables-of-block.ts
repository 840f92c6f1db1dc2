import type { WriteStep } from '@trellis/contract/dataflows/task-blocks.schemas'
import type { Settings } from './block-settings.ts'

export interface TableName {
  readonly schema_name: string
  readonly table_name: string
}

/** Where a block writes to in the workspace's database; SQL that writes by itself does not say. */
export function stepsOf(settings: Settings): WriteStep[] {
  const steps =
    'subtasks' in settings ? settings.subtasks.map(({ write }) => write) : 'write' in settings ? [settings.write] : []
  return steps.filter((step) => step !== null)
}

export const writesOf = (settings: Settings): TableName[] =>
  stepsOf(settings).map(({ schema_name, table_name }) => ({ schema_name, table_name }))

/** Tables a block is told to read; a query names its tables itself. */
export function readsOf(settings: Settings): TableName[] {
  if ('subtasks' in settings || !settings.input || 'sql' in settings.input) return []
  return [settings.input]
}

/** Text in which a block may name tables. */
export function sqlOf(settings: Settings): string {
  if ('subtasks' in settings) return ''
  const code = 'language' in settings && settings.language === 'sql' ? settings.code : ''
  const input = settings.input && 'sql' in settings.input ? settings.input.sql : ''
  return `${code}\n${input}`
}
