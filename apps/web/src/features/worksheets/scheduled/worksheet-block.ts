import type { RunAsDataflow } from '@trellis/contract/worksheets/scheduled.schemas'

const MAX_TABLE_NAME_LENGTH = 63

export const toBlockName = (fileName: string): string => fileName.replace(/\.[A-Za-z0-9]{1,10}$/, '').trim() || fileName

export function toTableName(fileName: string): string {
  const words = toBlockName(fileName)
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '_')
    .replaceAll(/^_+|_+$/g, '')
  const name = /^\p{L}/u.test(words) ? words : `t_${words}`
  return name.slice(0, MAX_TABLE_NAME_LENGTH)
}

const COMMENTS = /--[^\n]*|\/\*[\s\S]*?\*\//g
const CHANGING = /\b(?:insert|update|delete|merge|create|into)\b/i

/** Read-only SQL that begins with SELECT or WITH. A guess that the person can change. */
export function returnsRows(sql: string): boolean {
  const text = sql.replaceAll(COMMENTS, ' ').trim()
  const statements = text.split(';').filter((part) => part.trim() !== '')
  return statements.length === 1 && /^(?:select|with|values|table)\b/i.test(text) && !CHANGING.test(text)
}

export interface RunAsChoice {
  readonly dataflow: string
  readonly dataflowName: string
  readonly folder: string
  readonly blockName: string
  readonly hasTable: boolean
  readonly schemaName: string
  readonly tableName: string
}

export const isComplete = ({ dataflow, dataflowName, blockName, hasTable, schemaName, tableName }: RunAsChoice) =>
  blockName.trim() !== '' &&
  (dataflow !== '' || dataflowName.trim() !== '') &&
  (!hasTable || (schemaName.trim() !== '' && tableName.trim() !== ''))

export const toRequest = (choice: RunAsChoice): Omit<RunAsDataflow, 'project_id' | 'file_id'> => ({
  dataflow:
    choice.dataflow === ''
      ? { name: choice.dataflowName.trim(), folder_trellis_code: choice.folder === '' ? null : choice.folder }
      : { trellis_code: choice.dataflow },
  block_name: choice.blockName.trim(),
  table: choice.hasTable ? { schema_name: choice.schemaName.trim(), table_name: choice.tableName.trim() } : null,
})
