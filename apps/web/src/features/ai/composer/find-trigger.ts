import { ActionType } from '@trellis/contract/actions/actions.schemas'

export type Trigger =
  | { kind: 'action'; inputText: string; start: number }
  | { kind: 'argument'; action: ActionType; inputText: string; start: number }
  | { kind: 'resource'; inputText: string; start: number }

const ACTION = /^\/([a-z_]*)$/i
const ARGUMENT = /^\/([a-z_]+) +([^\n]*)$/i
const RESOURCE = /(?:^|\s)@([^\s@]*)$/

/** Suggestions replace the text from `start` to the caret. */
export function findTrigger(text: string, caret: number): Trigger | null {
  const before = text.slice(0, caret)
  const action = ACTION.exec(before)?.[1]
  if (action !== undefined) return { kind: 'action', inputText: action, start: 0 }
  const [, name = '', argument] = ARGUMENT.exec(before) ?? []
  const type = ActionType.safeParse(name.toLowerCase()).data
  if (type !== undefined && argument !== undefined) {
    return { kind: 'argument', action: type, inputText: argument, start: before.length - argument.length }
  }
  const resource = RESOURCE.exec(before)?.[1]
  if (resource === undefined) return null
  return { kind: 'resource', inputText: resource, start: before.length - resource.length - 1 }
}

export interface Suggestion {
  readonly id: string
  readonly label: string
  readonly note: string
  readonly insert: string
}

const MAX_SUGGESTIONS = 8

/** Prefix matches first. */
export function filterSuggestions(all: readonly Suggestion[], inputText: string): Suggestion[] {
  const word = inputText.trim().toLowerCase()
  const rank = ({ label, note }: Suggestion): number => {
    const name = label.toLowerCase()
    if (name.startsWith(word) || name.includes(`.${word}`)) return 0
    if (name.includes(word)) return 1
    return note.toLowerCase().includes(word) ? 2 : 3
  }
  return all
    .map((suggestion) => ({ suggestion, rank: rank(suggestion) }))
    .filter((item) => item.rank < 3)
    .toSorted((item, other) => item.rank - other.rank)
    .slice(0, MAX_SUGGESTIONS)
    .map(({ suggestion }) => suggestion)
}
