import type { editor, languages as Languages } from 'monaco-editor/editor'
import type { Completion } from './code-editor-props.ts'

type Registry = typeof Languages

/** Each text knows what can be chosen in it; it goes when the text does. */
const known = new WeakMap<editor.ITextModel, readonly Completion[]>()

export function setCompletions(model: editor.ITextModel, completions: readonly Completion[]): void {
  known.set(model, completions)
}

export function registerCompletions(languages: Registry, ids: readonly string[]): void {
  languages.registerCompletionItemProvider([...ids], {
    triggerCharacters: ['"', "'"],
    provideCompletionItems: (model, position) => {
      const { startColumn, endColumn } = model.getWordUntilPosition(position)
      const { lineNumber } = position
      const range = { startLineNumber: lineNumber, endLineNumber: lineNumber, startColumn, endColumn }
      const kind = languages.CompletionItemKind.Module
      return { suggestions: (known.get(model) ?? []).map(({ label }) => ({ label, kind, insertText: label, range })) }
    },
  })
}
