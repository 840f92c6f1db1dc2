import type { languages as Languages } from 'monaco-editor/editor'

type Registry = typeof Languages

/** Colours and brackets alone; what is wrong in it is found by the screen that knows what it should hold. */
export function registerJson(languages: Registry): void {
  languages.register({ id: 'trellis-json' })
  languages.setLanguageConfiguration('trellis-json', {
    brackets: [
      ['{', '}'],
      ['[', ']'],
    ],
    autoClosingPairs: [
      { open: '{', close: '}' },
      { open: '[', close: ']' },
      { open: '"', close: '"' },
    ],
  })
  languages.setMonarchTokensProvider('trellis-json', {
    tokenizer: {
      root: [
        [/"(?:[^"\\]|\\.)*"(?=\s*:)/, 'string.key'],
        [/"(?:[^"\\]|\\.)*"/, 'string'],
        [/-?\d+(\.\d+)?([eE][+-]?\d+)?/, 'number'],
        [/\b(true|false|null)\b/, 'keyword'],
        [/[{}[\]]/, '@brackets'],
        [/[,:]/, 'operator'],
      ],
    },
  })
}
