import type { Engine } from '../answer.ts'
import { scanQuestion } from '../read/scan-question.ts'
import { readShortText } from '../read/short-text.ts'
import type { Table } from '../schema/model.ts'
import { findTableByName } from '../schema/named-table.ts'

const SEARCH =
  /^(?:please\s+)?(?:(?:can you\s+)?(?:find|search(?:\s+for)?|look\s+(?:up|for))|(?:where|in\s+which\s+(?:tables?|columns?))\s+(?:is|are|does|do|can i find)|which\s+(?:tables?|columns?)\s+(?:has|have|contains?|holds?|mentions?))\s+(?:me\s+)?(?:the\s+)?(?:values?\s+|text\s+|words?\s+)?(.+?)(?:\s+(?:appear|occur|stand|used|stored|mentioned))?[?.!\s]*$/i
const QUOTED = /^["“”'‘’«](.+)["“”'‘’»]$/
const IN_TABLE = /^(.+?)\s+in\s+(?:the\s+)?(?:table\s+)?@?(.+?)(?:\s+table)?$/i
const QUESTION_WORD =
  /\b(?:all|any|every|everything|most|least|more|less|fewer|than|top|best|worst|last|this|next|many|much|how|who|what|average|total|sum|by|per|without|never|not|highest|lowest|biggest|largest|since|between|before|after|our|we)\b/i
const MAX_WORDS = 6
const MAX_CHARS = 200

export interface ValueSearch {
  readonly value: string
  readonly table: Table | null
}

/** “find Ada Lovelace”, “where does "X-100" appear?”. Names of tables and columns make it another kind of question. */
export function parseSearchQuestion(
  engine: Engine,
  { text, now }: { text: string; now: Date },
): ValueSearch | undefined {
  const searchedText = readShortText(text, SEARCH)
  if (searchedText === undefined) return undefined
  const [, textBeforeTable = '', tableName = ''] = IN_TABLE.exec(searchedText) ?? []
  const table = (tableName && findTableByName(engine, tableName)) || null
  const phrase = table ? textBeforeTable : searchedText
  const quoted = QUOTED.exec(phrase)?.[1]
  const value = (quoted ?? phrase).trim()
  if (value.length > MAX_CHARS || value === '') return undefined
  const isSearchValue = quoted !== undefined || looksLikeCode(value) || namesOnlyValues(engine, { text: value, now })
  return isSearchValue ? { value, table } : undefined
}

/** A short text without question words, in which nothing but stored values is recognised. */
function namesOnlyValues(engine: Engine, { text, now }: { text: string; now: Date }): boolean {
  if (text.split(/\s+/).length > MAX_WORDS || QUESTION_WORD.test(text)) return false
  const { mentions, tokens } = scanQuestion(text, { ...engine, now })
  return tokens.length > 0 && mentions.every(({ target }) => target.kind === 'value')
}

const looksLikeCode = (value: string): boolean => !/\s/.test(value) && /@|\d/.test(value)
