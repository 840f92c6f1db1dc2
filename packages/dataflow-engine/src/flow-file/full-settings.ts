import { startSettings, toTableName, writeInto } from '@trellis/contract/dataflows/start-settings'
import type { FileBlock } from './flow-file.ts'

type Fields = Record<string, unknown>

export function addDefaultSettings({ kind, settings = {} }: FileBlock): Fields {
  const { trigger: _, integration_trellis_code: __, ...start } = startSettings(kind, '')
  const { subtasks, write } = settings
  return {
    ...start,
    ...settings,
    ...(Array.isArray(subtasks) && {
      subtasks: subtasks.map((subtask: unknown) => (isFields(subtask) ? fullSubtask(subtask) : subtask)),
    }),
    ...(isFields(write) && { write: fullWrite(write) }),
  }
}

function fullSubtask(subtask: Fields): Fields {
  const start = writeInto(toTableName(typeof subtask['name'] === 'string' ? subtask['name'] : ''))
  const { write = start } = subtask
  return {
    query: {},
    is_incremental: false,
    ...subtask,
    write: isFields(write) ? { ...start, ...fullWrite(write) } : write,
  }
}

function fullWrite(write: Fields): Fields {
  const { table_name: _, ...start } = writeInto('')
  const { bad_rows = start.bad_rows } = write
  return { ...start, ...write, bad_rows: isFields(bad_rows) ? { ...start.bad_rows, ...bad_rows } : bad_rows }
}

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
