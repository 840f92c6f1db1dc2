import type { ColumnType } from '@trellis/contract/explorer/column-types'

export interface DraftColumn {
  id: number
  name: string
  type: ColumnType
  is_nullable: boolean
  is_primary_key: boolean
}

interface ParseResult {
  success: boolean
  error?: { issues: readonly { message: string; path: readonly PropertyKey[] }[] } | undefined
}

export function findProblem(parsed: ParseResult, columns: readonly { name: string }[]): string | undefined {
  const [issue] = parsed.error?.issues ?? []
  if (issue) {
    const [first, index] = issue.path
    return first === 'columns' && typeof index === 'number'
      ? `Column “${columns[index]?.name}”: ${issue.message}`
      : issue.message
  }
  const names = columns.map((column) => column.name.trim())
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  return twice === undefined ? undefined : `There are two columns called “${twice}”.`
}
