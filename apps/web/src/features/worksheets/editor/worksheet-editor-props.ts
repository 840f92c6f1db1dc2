import type { EditorSettings } from '@trellis/contract/worksheets/editor-settings'
import type { RefObject } from 'react'
import type { EditorAssist } from '../../../ui/editor/assist.ts'
import type { EditorMark } from '../../../ui/editor/code-editor-props.ts'

/** Read from the editor itself: React state may lag behind the last keystroke. */
export interface RunRequest {
  readonly text: string
  readonly sql: string
  readonly offset: number
  readonly cursor?: number
}

export interface EditorHandle {
  format(): Promise<void>
  focus(): void
}

export interface WorksheetEditorProps {
  label: string
  readText: () => string
  marks: readonly EditorMark[]
  assist: EditorAssist
  settings: EditorSettings
  onType: (read: () => string) => void
  onRun: (request: RunRequest) => void
  onExplain: (request: RunRequest) => void
  onSave: () => void
  onHelp: () => void
  requestRef: RefObject<(extent: 'statement' | 'all') => RunRequest>
  handleRef: RefObject<EditorHandle | null>
}
