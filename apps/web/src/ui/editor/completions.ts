import type { editor, languages as Languages } from 'monaco-editor/editor'
import type { Completion } from './code-editor-props.ts'

type Registry = typeof Languages

/** Each text knows what can be chosen in it; it goes when the text does. */
const known = new WeakMap<editor.ITextModel, readonly Completion[]>()

export function setCompletions(model: editor.ITextModel, completions: readonly Completion[]): void {
  known.set(model, completions)
}

export function registerCompletions(languages: Registry, ids: readonly string[]): void {
  const { Class, Field, Module } = languages.CompletionItemKind
  const kinds = { table: Class, column: Field, package: Module }
  languages.registerCompletionItemProvider([...ids], {
    triggerCharacters: ['.', '"', "'"],
    provideCompletionItems: (model, position) => {
      const { lineNumber, column } = position
      const before = model.getLineContent(lineNumber).slice(0, column - 1)
      const { typed, fitting } = fittingCompletions(before, known.get(model) ?? [])
      const range = {
        startLineNumber: lineNumber,
        endLineNumber: lineNumber,
        startColumn: column - typed.length,
        endColumn: column,
      }
      return {
        suggestions: fitting.map(({ label, kind, note, insert }) => ({
          label: note ? { label, description: note } : label,
          kind: kinds[kind],
          filterText: label,
          insertText: insert ?? label,
          range,
        })),
      }
    },
  })
}

/** Behind `shop.` only what is in it; otherwise everything. */
export function fittingCompletions(
  before: string,
  completions: readonly Completion[],
): { typed: string; fitting: readonly Completion[] } {
  const typed = /[\w$]*$/.exec(before)?.[0] ?? ''
  const owner = /([\w$]+)\.$/.exec(before.slice(0, before.length - typed.length))?.[1]?.toLowerCase()
  if (owner === undefined) return { typed, fitting: completions }
  const inside = completions.flatMap((one) => {
    const [first = '', ...rest] = one.label.split('.')
    if (one.kind === 'table' && rest.length > 0 && first.toLowerCase() === owner) {
      return [{ ...one, label: rest.join('.'), insert: undefined }]
    }
    return one.kind === 'column' ? [one] : []
  })
  return { typed, fitting: inside }
}
