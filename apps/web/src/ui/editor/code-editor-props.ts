import type { EditorAssist } from './assist.ts'

export type Language = 'gaql' | 'sql' | 'json' | 'javascript'

export interface EditorMark {
  line: number
  column: number
  message: string
}

/** Something to choose from while typing, such as a package. */
export interface Completion {
  label: string
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
  /** Who knows the language; without one there is no completion. */
  assist?: EditorAssist | undefined
}
