import type { AssistItemKind } from '../../ui/editor/assist.ts'

export interface Item {
  readonly label: string
  readonly kind: AssistItemKind
  readonly detail: string
  readonly insert: string
  /** `insert` has placeholders such as `${1:name}`. */
  readonly isTemplate: boolean
  readonly comment: string | null
  readonly rank: number
  readonly filter: string
}

type NewItem = Pick<Item, 'label' | 'kind' | 'rank'> & Partial<Item>

export const createItem = (item: NewItem): Item => ({
  detail: '',
  insert: item.label,
  isTemplate: false,
  comment: null,
  filter: item.label,
  ...item,
})

/** 0: prefix, 1: prefix of a word, 2: infix; undefined: no match. */
export function matchName(lowerName: string, lowerTyped: string): 0 | 1 | 2 | undefined {
  const at = lowerName.indexOf(lowerTyped)
  if (at === -1) return isSubsequence(lowerName, lowerTyped) ? 2 : undefined
  if (at === 0) return 0
  for (let next = at; next !== -1; next = lowerName.indexOf(lowerTyped, next + 1)) {
    if (!isWordCode(lowerName.charCodeAt(next - 1))) return 1
  }
  return 2
}

/** `_`, spaces and dots separate words. */
const isWordCode = (code: number): boolean => code > 127 || (code >= 97 && code <= 122) || (code >= 48 && code <= 57)

/** `cusord` matches `customer_orders`. */
function isSubsequence(name: string, typed: string): boolean {
  let at = -1
  for (const letter of typed) {
    at = name.indexOf(letter, at + 1)
    if (at === -1) return false
  }
  return true
}
