import { startSettings, toTableName, writeInto } from '@trellis/contract/dataflows/start-settings'
import type { FileBlock } from './flow-file.ts'

type Fields = Record<string, unknown>

export function addDefaultSettings({ kind, settings = {} }: FileBlock): Fields {
  const { trigger: _, integration_trellis_code: __, ...defaults } = startSettings(kind, '')
  const { subtasks, write } = settings
  return {
    ...defaults,
    ...settings,
    ...(Array.isArray(subtasks) && {
      subtasks: subtasks.map((subtask: unknown) => (isObject(subtask) ? addSubtaskDefaults(subtask) : subtask)),
    }),
    ...(isObject(write) && { write: addWriteDefaults(write) }),
  }
}

function addSubtaskDefaults(subtask: Fields): Fields {
  const defaults = writeInto(toTableName(typeof subtask['name'] === 'string' ? subtask['name'] : ''))
  const { write = defaults } = subtask
  return {
    query: {},
    is_incremental: false,
    ...subtask,
    write: isObject(write) ? { ...defaults, ...addWriteDefaults(write) } : write,
  }
}

function addWriteDefaults(write: Fields): Fields {
  const { table_name: _, ...defaults } = writeInto('')
  const { bad_rows = defaults.bad_rows } = write
  return { ...defaults, ...write, bad_rows: isObject(bad_rows) ? { ...defaults.bad_rows, ...bad_rows } : bad_rows }
}

const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
