import { isStopWord } from '../engine/read/stop-words.ts'
import { type Token, tokenise } from '../engine/words/tokens.ts'
import { isMeaningfulStopWord, isSameQuestion } from './is-same-question.ts'

const PLACEHOLDER = /:([a-z_]\w*)/gi
const MAX_VALUE_WORDS = 6

/** `:country` of a verified question matches words of the question asked. */
export const listPlaceholders = (pattern: string): string[] =>
  [...pattern.matchAll(PLACEHOLDER)].map(([, name = '']) => name)

/** The values of the placeholders if the question matches the pattern, otherwise undefined. */
export function matchVerifiedQuestion(pattern: string, question: string): Readonly<Record<string, string>> | undefined {
  if (pattern.trim().toLowerCase() === question.trim().toLowerCase()) return {}
  const patternItems = parsePattern(pattern)
  if (patternItems.every((item) => item.kind === 'word')) return isSameQuestion(pattern, question) ? {} : undefined
  if (patternItems.every((item) => item.kind === 'value')) return undefined
  return matchPatternItems(patternItems, tokenise(question))
}

type PatternItem = { readonly kind: 'word'; readonly key: string } | { readonly kind: 'value'; readonly name: string }

const toComparableWord = ({ stem, number }: Token): string => (number === null ? stem : String(number))
const canBeSkipped = ({ lower }: Token): boolean => isStopWord(lower) && !isMeaningfulStopWord(lower)

/** "orders in :country" → the word "order" and the value country. */
function parsePattern(pattern: string): PatternItem[] {
  return pattern.split(/(:[a-z_]\w*)/i).flatMap((piece): PatternItem[] =>
    /^:[a-z_]/i.test(piece)
      ? [{ kind: 'value', name: piece.slice(1) }]
      : tokenise(piece)
          .filter((token) => !canBeSkipped(token))
          .map((token) => ({ kind: 'word', key: toComparableWord(token) })),
  )
}

/** Matches items and tokens from left to right; undefined if they do not fit. */
function matchPatternItems(
  items: readonly PatternItem[],
  tokens: readonly Token[],
): Record<string, string> | undefined {
  const [item, ...otherItems] = items
  const [token, ...otherTokens] = tokens
  if (!item) return tokens.every((other) => canBeSkipped(other)) ? {} : undefined
  if (!token) return undefined
  if (item.kind === 'word') {
    const values = toComparableWord(token) === item.key ? matchPatternItems(otherItems, otherTokens) : undefined
    return values ?? (canBeSkipped(token) ? matchPatternItems(items, otherTokens) : undefined)
  }
  // “for the furniture”: an article is part of the value only if nothing else matches.
  const valuesWithoutToken = canBeSkipped(token) ? matchPatternItems(items, otherTokens) : undefined
  if (valuesWithoutToken) return valuesWithoutToken
  for (let count = 1; count <= Math.min(MAX_VALUE_WORDS, tokens.length); count += 1) {
    const values = matchPatternItems(otherItems, tokens.slice(count))
    if (values) {
      const words = tokens.slice(0, count).map(({ text }) => text)
      return { [item.name]: words.join(' '), ...values }
    }
  }
  return undefined
}
