import type { EditorSettings } from '@trellis/contract/worksheets/editor-settings'
import type { RefObject } from 'react'
import type { EditorAssist } from '../../../ui/editor/assist.ts'
import type { EditorMark } from '../../../ui/editor/code-editor-props.ts'

/** What is run, taken from the editor itself: the screen may not have heard of the last keystroke yet. */
export interface RunRequest {
  /** The whole text. */
  readonly text: string
  /** What is sent of it, and where that begins. */
  readonly sql: string
  readonly offset: number
  /** Only the statement here; all of them without it. */
  readonly cursor?: number
}

/** What can be done from outside of the editor, by a button or the palette. */
export interface EditorHandle {
  format(): Promise<void>
  focus(): void
}

export interface WorksheetEditorProps {
  label: string
  /** Once, when the editor opens. */
  readText: () => string
  marks: readonly EditorMark[]
  assist: EditorAssist
  settings: EditorSettings
  /** For every key; the text is read later. */
  onType: (read: () => string) => void
  onRun: (request: RunRequest) => void
  onExplain: (request: RunRequest) => void
  onSave: () => void
  onHelp: () => void
  /** Tells buttons outside of the editor what it would run now. */
  requestRef: RefObject<(what: 'statement' | 'all') => RunRequest>
  handleRef: RefObject<EditorHandle | null>
}
