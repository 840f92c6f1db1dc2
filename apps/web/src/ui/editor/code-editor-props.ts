export type Language = 'gaql' | 'sql' | 'json' | 'javascript'

export interface EditorMark {
  line: number
  column: number
  message: string
}

/** Something to choose from while typing: a table, a column, a package. */
export interface Completion {
  label: string
  kind: 'table' | 'column' | 'package'
  note?: string | undefined
  insert?: string | undefined
}

export interface CodeEditorProps {
  label: string
  language: Language
  value: string
  onChange: (value: string) => void
  onBlur?: () => void
  placeholder?: string | undefined
  isReadOnly?: boolean
  height?: number | string
  marks?: readonly EditorMark[]
  completions?: readonly Completion[]
}
