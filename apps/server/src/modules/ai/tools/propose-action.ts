import { ActionType } from '@trellis/contract/actions/actions.schemas'

export interface Command {
  readonly action: ActionType | undefined
  readonly name: string
  readonly argument: string
  readonly withLastQuery: boolean
}

const toActionType = (name: string): ActionType | undefined => ActionType.safeParse(name).data

const SLASH = /^\/([a-z_]+)(?:\s+([\s\S]*))?$/i
const OPEN = /^(?:please\s+)?(?:open|go to|view)\s+(?:the\s+)?(table|schema|database|worksheet|project)\s+(.+?)[.!]?$/i
const SAVE =
  /^(?:please\s+)?(?:save|keep|open|store)\s+(?:this|that|it|the (?:query|answer|sql))\s+(?:as|in)\s+a?\s*(?:new\s+)?worksheet(?:\s+(?:called|named)\s+(.+?))?[.!]?$/i

/** `/view_table orders`, “open table orders”, “save this as a worksheet” */
export function parseCommand(text: string): Command | undefined {
  const [, slash, rest = ''] = SLASH.exec(text.trim()) ?? []
  if (slash !== undefined) {
    const name = slash.toLowerCase()
    return { action: toActionType(name), name, argument: rest.trim(), withLastQuery: name === 'new_worksheet' }
  }
  const [, thing, named = ''] = OPEN.exec(text.trim()) ?? []
  if (thing !== undefined) {
    const name = `view_${thing.toLowerCase()}`
    const argument = named.replaceAll(/^["'“]|["'”]$/g, '')
    return { action: toActionType(name), name, argument, withLastQuery: false }
  }
  const saved = SAVE.exec(text.trim())
  if (!saved) return undefined
  return { action: 'new_worksheet', name: 'new_worksheet', argument: saved[1] ?? '', withLastQuery: true }
}
