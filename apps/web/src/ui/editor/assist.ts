import type { editor, IRange, languages as Languages, Position } from 'monaco-editor/editor'

type Registry = typeof Languages
type Model = editor.ITextModel

export type AssistItemKind =
  | 'table'
  | 'view'
  | 'column'
  | 'function'
  | 'keyword'
  | 'schema'
  | 'join'
  | 'parameter'
  | 'snippet'
  | 'type'

interface AssistItem {
  readonly label: string
  readonly kind: AssistItemKind
  readonly detail: string
  readonly insert: string
  readonly isTemplate: boolean
  readonly comment: string | null
  readonly filter: string
}

interface Span {
  readonly start: number
  readonly end: number
}

interface EditorDiagnostic extends Span {
  readonly message: string
  readonly severity: 'error' | 'warning'
  readonly replacement: string | null
}

interface AssistSignatures {
  readonly signatures: readonly {
    readonly label: string
    readonly parameters: readonly string[]
    readonly comment: string | null
  }[]
  readonly active: number
  readonly argument: number
}

/** The text of an editor, of which a part can be read: all of a long one would cost too much for every key. */
export interface EditorText {
  readonly length: number
  read(start: number, end: number): string
}

/** Who knows the language of a text. Places are UTF-16 offsets. */
export interface EditorAssist {
  complete(
    text: EditorText,
    offset: number,
  ): Promise<{ readonly start: number; readonly items: readonly AssistItem[]; readonly isCut: boolean }>
  describe(text: EditorText, offset: number): Promise<(Span & { readonly code: string; readonly text: string }) | null>
  findSignature(text: EditorText, offset: number): Promise<AssistSignatures | null>
  diagnose(text: string): Promise<readonly EditorDiagnostic[]>
  findStatement(text: EditorText, offset: number): Promise<Span | null>
  /** Called when earlier answers may be outdated; returns a function that unsubscribes. */
  onChange(listener: () => void): () => void
}

interface AttachedAssist {
  readonly assist: EditorAssist
  diagnostics: readonly EditorDiagnostic[]
}

/** Each text has its own; it goes when the text does. */
const attached = new WeakMap<Model, AttachedAssist>()

const PAUSE_MS = 350
const MARKS = 'trellis-assist'

/** Gives a text its assistant: completion, hovers, and marks that follow what is typed. Returns how to take it away. */
export function attachAssist(model: Model, assist: EditorAssist, setMarks: typeof editor.setModelMarkers): () => void {
  const ownAttachedAssist: AttachedAssist = { assist, diagnostics: [] }
  attached.set(model, ownAttachedAssist)
  let timer: ReturnType<typeof setTimeout> | undefined
  let asked = 0
  const check = async () => {
    asked += 1
    const number = asked
    const found = await assist.diagnose(model.getValue()).catch(() => [])
    if (number !== asked || model.isDisposed() || attached.get(model) !== ownAttachedAssist) return
    ownAttachedAssist.diagnostics = found
    setMarks(
      model,
      MARKS,
      found.map(({ start, end, message, severity }) => ({
        ...toRange(model, start, end),
        message,
        // MarkerSeverity.Error and Warning.
        severity: severity === 'error' ? 8 : 4,
      })),
    )
  }
  const later = () => {
    clearTimeout(timer)
    timer = setTimeout(() => void check(), PAUSE_MS)
  }
  const typing = model.onDidChangeContent(later)
  const stop = assist.onChange(later)
  later()
  return () => {
    clearTimeout(timer)
    typing.dispose()
    stop()
    if (attached.get(model) === ownAttachedAssist) attached.delete(model)
    if (!model.isDisposed()) setMarks(model, MARKS, [])
  }
}

export const toEditorText = (model: Model): EditorText => ({
  length: model.getValueLength(),
  read: (start, end) => model.getValueInRange(toRange(model, start, end)),
})

export function toRange(model: Model, start: number, end: number): IRange {
  const [from, to] = [model.getPositionAt(start), model.getPositionAt(end)]
  return {
    startLineNumber: from.lineNumber,
    startColumn: from.column,
    endLineNumber: to.lineNumber,
    endColumn: to.column,
  }
}

export function registerAssist(languages: Registry, id: string): void {
  const kinds = toKinds(languages)
  const ask = (model: Model, position: Position) => ({
    text: toEditorText(model),
    offset: model.getOffsetAt(position),
  })
  languages.registerCompletionItemProvider(id, {
    triggerCharacters: ['.', '"', ':', ' ', '(', '@'],
    provideCompletionItems: async (model, position) => {
      const ownAttachedAssist = attached.get(model)
      if (!ownAttachedAssist) return null
      const { text, offset } = ask(model, position)
      const { start, items, isCut } = await ownAttachedAssist.assist.complete(text, offset)
      // The editor may be gone by then, as when a window becomes narrow.
      if (model.isDisposed()) return null
      const range = toRange(model, start, offset)
      const isQuoted = text.read(start, start + 1) === '"'
      return {
        incomplete: isCut,
        suggestions: items.map((item, at) => ({
          label: { label: item.label, description: item.detail },
          kind: kinds[item.kind],
          documentation: item.comment ?? '',
          filterText: isQuoted ? item.insert : item.filter,
          sortText: String(at).padStart(4, '0'),
          insertText: item.insert,
          insertTextRules: item.isTemplate ? languages.CompletionItemInsertTextRule.InsertAsSnippet : 0,
          range,
        })),
      }
    },
  })
  languages.registerHoverProvider(id, {
    provideHover: async (model, position) => {
      const { text, offset } = ask(model, position)
      const found = await attached.get(model)?.assist.describe(text, offset)
      if (!found || model.isDisposed()) return null
      const contents = [
        { value: `\`\`\`pgsql\n${found.code}\n\`\`\`` },
        ...(found.text === '' ? [] : [{ value: escape(found.text) }]),
      ]
      return { contents, range: toRange(model, found.start, found.end) }
    },
  })
  languages.registerSignatureHelpProvider(id, {
    signatureHelpTriggerCharacters: ['(', ','],
    provideSignatureHelp: async (model, position) => {
      const { text, offset } = ask(model, position)
      const signature = await attached.get(model)?.assist.findSignature(text, offset)
      if (!signature) return null
      const signatures = signature.signatures.map(({ label, parameters, comment }) => ({
        label,
        documentation: comment ?? '',
        parameters: parameters.map((parameter) => ({ label: parameter })),
      }))
      return {
        value: { signatures, activeSignature: signature.active, activeParameter: signature.argument },
        dispose: () => undefined,
      }
    },
  })
  languages.registerCodeActionProvider(id, {
    provideCodeActions: (model, range, context) => {
      const fixes = (attached.get(model)?.diagnostics ?? []).filter(
        ({ replacement, start, end }) => replacement !== null && touches(range, toRange(model, start, end)),
      )
      return {
        actions: fixes.map((fix) => ({
          title: `Change to ${fix.replacement ?? ''}`,
          kind: 'quickfix',
          isPreferred: true,
          diagnostics: context.markers.filter(({ message }) => message === fix.message),
          edit: {
            edits: [
              {
                resource: model.uri,
                versionId: model.getVersionId(),
                textEdit: { range: toRange(model, fix.start, fix.end), text: fix.replacement ?? '' },
              },
            ],
          },
        })),
        dispose: () => undefined,
      }
    },
  })
}

const touches = (a: IRange, b: IRange): boolean =>
  !(
    a.endLineNumber < b.startLineNumber ||
    b.endLineNumber < a.startLineNumber ||
    (a.endLineNumber === b.startLineNumber && a.endColumn < b.startColumn) ||
    (b.endLineNumber === a.startLineNumber && b.endColumn < a.startColumn)
  )

/** Comments of a database are text, not markup. */
const escape = (text: string): string => text.replaceAll(/[\\`*_{}[\]()#+\-!|<>&]/g, String.raw`\$&`)

function toKinds({ CompletionItemKind: kind }: Registry): Record<AssistItem['kind'], number> {
  return {
    table: kind.Class,
    view: kind.Interface,
    column: kind.Field,
    function: kind.Function,
    keyword: kind.Keyword,
    schema: kind.Module,
    join: kind.Reference,
    parameter: kind.Variable,
    snippet: kind.Snippet,
    type: kind.TypeParameter,
  }
}
