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
    const [first, at] = issue.path
    return first === 'columns' && typeof at === 'number'
      ? `Column “${columns[at]?.name}”: ${issue.message}`
      : issue.message
  }
  const names = columns.map((column) => column.name.trim())
  const twice = names.find((name, at) => names.indexOf(name) !== at)
  return twice === undefined ? undefined : `There are two columns called “${twice}”.`
}
