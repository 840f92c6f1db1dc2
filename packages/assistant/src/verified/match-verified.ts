import { isStopWord } from '../engine/read/stop-words.ts'
import { type Token, tokenise } from '../engine/words/tokens.ts'
import { isMeaningful, isSameQuestion } from './is-same-question.ts'

const PLACEHOLDER = /:([a-z_]\w*)/gi
const MAX_VALUE_WORDS = 6

/** `:country` of a verified question matches words of the question asked. */
export const listPlaceholders = (pattern: string): string[] =>
  [...pattern.matchAll(PLACEHOLDER)].map(([, name = '']) => name)

export function matchVerified(pattern: string, asked: string): Readonly<Record<string, string>> | undefined {
  if (pattern.trim().toLowerCase() === asked.trim().toLowerCase()) return {}
  const items = toItems(pattern)
  if (items.every((item) => item.kind === 'word')) return isSameQuestion(pattern, asked) ? {} : undefined
  if (items.every((item) => item.kind === 'value')) return undefined
  return matchItems(items, tokenise(asked))
}

type Item = { readonly kind: 'word'; readonly key: string } | { readonly kind: 'value'; readonly name: string }

const toKey = ({ stem, number }: Token): string => (number === null ? stem : String(number))
const isSkipped = ({ lower }: Token): boolean => isStopWord(lower) && !isMeaningful(lower)

function toItems(pattern: string): Item[] {
  return pattern.split(/(:[a-z_]\w*)/i).flatMap((piece): Item[] =>
    /^:[a-z_]/i.test(piece)
      ? [{ kind: 'value', name: piece.slice(1) }]
      : tokenise(piece)
          .filter((token) => !isSkipped(token))
          .map((token) => ({ kind: 'word', key: toKey(token) })),
  )
}

function matchItems(items: readonly Item[], tokens: readonly Token[]): Record<string, string> | undefined {
  const [item, ...rest] = items
  const [token, ...others] = tokens
  if (!item) return tokens.every((other) => isSkipped(other)) ? {} : undefined
  if (!token) return undefined
  if (item.kind === 'word') {
    const found = toKey(token) === item.key ? matchItems(rest, others) : undefined
    return found ?? (isSkipped(token) ? matchItems(items, others) : undefined)
  }
  // “for the furniture”: an article is part of the value only if nothing else matches.
  const later = isSkipped(token) ? matchItems(items, others) : undefined
  if (later) return later
  for (let count = 1; count <= Math.min(MAX_VALUE_WORDS, tokens.length); count += 1) {
    const found = matchItems(rest, tokens.slice(count))
    if (found) {
      const words = tokens.slice(0, count).map(({ text }) => text)
      return { [item.name]: words.join(' '), ...found }
    }
  }
  return undefined
}
