import { editor, KeyCode, KeyMod, languages, MarkerSeverity } from 'monaco-editor/editor'
// `features/suggest/register` leaves the controller out: completion would never open.
import 'monaco-editor/editor/contrib/suggest/browser/suggestController'
import 'monaco-editor/features/bracketMatching/register'
import 'monaco-editor/features/clipboard/register'
import 'monaco-editor/features/codeAction/register'
import 'monaco-editor/features/comment/register'
import 'monaco-editor/features/find/register'
import 'monaco-editor/features/folding/register'
import 'monaco-editor/features/gotoError/register'
import 'monaco-editor/features/hover/register'
import 'monaco-editor/features/linesOperations/register'
import 'monaco-editor/features/multicursor/register'
import 'monaco-editor/features/parameterHints/register'
import 'monaco-editor/features/placeholderText/register'
import 'monaco-editor/features/snippet/register'
import 'monaco-editor/features/wordOperations/register'
import 'monaco-editor/languages/definitions/javascript/register'
import 'monaco-editor/languages/definitions/pgsql/register'
import { tokens, type Mode } from '../theme/tokens.ts'
import { registerAssist } from './assist.ts'
import { registerCompletions } from './completions.ts'
import { registerGaql } from './gaql.ts'
import { registerJson } from './json-language.ts'

interface ScriptPolicy {
  createScriptURL: (url: string) => string
}
interface Factory {
  createPolicy: (name: string, rules: ScriptPolicy) => ScriptPolicy
}

const factory = (globalThis as { trustedTypes?: Factory }).trustedTypes
const policy = factory?.createPolicy('trellis-editor-worker', { createScriptURL: (url) => url })

/** Vouches for the one script our own build made. */
async function startWorker(): Promise<Worker> {
  const { default: url } = await import('monaco-editor/editor/editor.worker?worker&url')
  return new Worker(policy ? policy.createScriptURL(url) : url, { type: 'module', name: 'editor' })
}

globalThis.MonacoEnvironment = { getWorker: startWorker }

for (const mode of ['light', 'dark'] as const) editor.defineTheme(`trellis-${mode}`, buildTheme(mode))

export function themeNow(): string {
  return `trellis-${document.documentElement.dataset['theme'] === 'dark' ? 'dark' : 'light'}`
}

new MutationObserver(() => editor.setTheme(themeNow())).observe(document.documentElement, {
  attributes: true,
  attributeFilter: ['data-theme'],
})

registerGaql(languages)
registerJson(languages)
registerCompletions(languages, ['javascript'])
registerAssist(languages, 'pgsql')

// Monaco waits for a second key after Ctrl+K: the app's own search would not open from an editor.
editor.onDidCreateEditor((made) => {
  made.onKeyDown((event) => {
    const { ctrlKey, metaKey, altKey, shiftKey, keyCode } = event
    if (keyCode !== KeyCode.KeyK || !(ctrlKey || metaKey) || altKey || shiftKey) return
    event.stopPropagation()
    event.preventDefault()
    document.dispatchEvent(new KeyboardEvent('keydown', { key: 'k', ctrlKey, metaKey, bubbles: true }))
  })
})

export { editor, KeyCode, KeyMod, MarkerSeverity }

function buildTheme(mode: Mode): editor.IStandaloneThemeData {
  const { text, accent, success, warning, info, bg, border } = tokens[mode]
  const bare = (colour: string) => colour.slice(1)
  const rule = (token: string, colour: string, fontStyle = '') => ({ token, foreground: bare(colour), fontStyle })
  return {
    base: mode === 'dark' ? 'vs-dark' : 'vs',
    inherit: true,
    rules: [
      rule('', text.primary),
      rule('keyword', accent.text, 'bold'),
      rule('operator', text.secondary),
      rule('operator.sql', accent.text),
      rule('string', success.text),
      rule('string.sql', success.text),
      rule('string.key', info.text),
      rule('number', warning.text),
      rule('comment', text.tertiary, 'italic'),
      rule('predefined', info.text),
      rule('predefined.sql', info.text),
      rule('type', info.text),
      rule('identifier', text.primary),
    ],
    colors: {
      'editor.background': bg.surface,
      'editor.foreground': text.primary,
      'editorLineNumber.foreground': text.tertiary,
      'editorLineNumber.dimmedForeground': text.tertiary,
      'editorLineNumber.activeForeground': text.secondary,
      'editor.placeholder.foreground': text.tertiary,
      'editor.lineHighlightBackground': bg.hover,
      'editor.lineHighlightBorder': '#00000000',
      'editorSuggestWidget.background': bg.raised,
      'editorSuggestWidget.border': border.default,
      'editorSuggestWidget.selectedBackground': bg.active,
      'editorSuggestWidget.foreground': text.primary,
      'editorSuggestWidget.selectedForeground': text.primary,
      'editorSuggestWidget.selectedIconForeground': text.primary,
      'editorSuggestWidget.highlightForeground': accent.text,
      'editorSuggestWidget.focusHighlightForeground': accent.text,
      'editorWidget.background': bg.raised,
      'editorWidget.border': border.default,
      'editorCursor.foreground': accent.solid,
      'editorBracketHighlight.foreground1': text.secondary,
      'editorBracketHighlight.foreground2': info.text,
      'editorBracketHighlight.foreground3': accent.text,
    },
  }
}
