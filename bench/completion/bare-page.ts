import { EDITOR_OPTIONS } from '../../apps/web/src/features/worksheets/editor/settings/editor-options.ts'
import { attachAssist, type EditorText } from '../../apps/web/src/ui/editor/assist.ts'
import { editor, themeNow } from '../../apps/web/src/ui/editor/monaco.ts'

const MAX_ITEMS = 100

const names = Array.from({ length: 20_000 }, (_, at) => `order_customer_${at}`)

const findNames = async (text: EditorText, offset: number) => {
  const from = Math.max(0, offset - 100)
  const before = text.read(from, offset)
  const start = from + before.search(/\w*$/)
  const prefix = before.slice(start - from)
  const found = prefix === '' ? [] : names.filter((name) => name.includes(prefix)).slice(0, MAX_ITEMS)
  const items = found.map((label) => ({
    label,
    kind: 'table' as const,
    detail: 'data',
    insert: label,
    isTemplate: false,
    comment: null,
    filter: label,
  }))
  return { start, items, isCut: false }
}

const made = editor.create(document.querySelector<HTMLElement>('#editor') ?? document.body, {
  ...EDITOR_OPTIONS,
  language: 'pgsql',
  theme: themeNow(),
  quickSuggestions: true,
  suggestOnTriggerCharacters: true,
})
const model = made.getModel()
const nothing = async () => null
if (model) {
  const assist = {
    complete: findNames,
    describe: nothing,
    findSignature: nothing,
    diagnose: async () => [],
    findStatement: nothing,
    onChange: () => () => undefined,
  }
  attachAssist(model, assist, editor.setModelMarkers)
}
