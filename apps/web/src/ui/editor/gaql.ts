import type { languages as Languages } from 'monaco-editor/editor'
import { GAQL_KEYWORDS } from './gaql-keywords.ts'

type Registry = typeof Languages

/** Google's query language: words in capitals, names with dots, texts in either quotes. */
export function registerGaql(languages: Registry): void {
  languages.register({ id: 'gaql' })
  languages.setLanguageConfiguration('gaql', {
    brackets: [['(', ')']],
    autoClosingPairs: [
      { open: '(', close: ')' },
      { open: "'", close: "'" },
      { open: '"', close: '"' },
    ],
  })
  languages.setMonarchTokensProvider('gaql', {
    ignoreCase: true,
    words: GAQL_KEYWORDS.flatMap((keyword) => keyword.split(' ')),
    tokenizer: {
      root: [
        [/[a-z_]\w*\.[\w.]+/, 'identifier'],
        [/[a-z_]\w*/, { cases: { '@words': 'keyword', '@default': 'identifier' } }],
        [/'[^']*'|"[^"]*"/, 'string'],
        [/-?\d+(\.\d+)?/, 'number'],
        [/[=<>!]+|,/, 'operator'],
        [/[()]/, '@brackets'],
      ],
    },
  })
  languages.registerCompletionItemProvider('gaql', {
    provideCompletionItems: (model, position) => {
      const { startColumn, endColumn } = model.getWordUntilPosition(position)
      const { lineNumber } = position
      const range = { startLineNumber: lineNumber, endLineNumber: lineNumber, startColumn, endColumn }
      const { Keyword } = languages.CompletionItemKind
      return { suggestions: GAQL_KEYWORDS.map((label) => ({ label, kind: Keyword, insertText: label, range })) }
    },
  })
}
