import type { editor } from '../../../../ui/editor/monaco.ts'

export const EDITOR_OPTIONS: editor.IStandaloneEditorConstructionOptions = {
  automaticLayout: true,
  minimap: { enabled: false },
  fontFamily: 'var(--font-mono)',
  fontSize: 13,
  lineHeight: 20,
  lineNumbersMinChars: 3,
  lineDecorationsWidth: 12,
  padding: { top: 8, bottom: 8 },
  scrollBeyondLastLine: false,
  renderLineHighlight: 'line',
  overviewRulerLanes: 0,
  tabSize: 2,
  fixedOverflowWidgets: true,
  contextmenu: false,
  suggest: { showWords: false, preview: false },
  quickSuggestionsDelay: 0,
  wordBasedSuggestions: 'off',
}
