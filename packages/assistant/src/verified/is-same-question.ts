import { isStopWord } from '../engine/read/stop-words.ts'
import { tokenise } from '../engine/words/tokens.ts'

/** Stop words that do change the meaning. */
const MEANINGFUL_STOP_WORDS = new Set([
  'not',
  'no',
  'never',
  'more',
  'less',
  'most',
  'least',
  'average',
  'total',
  'without',
  'between',
])

export const isMeaningfulStopWord = (word: string): boolean => MEANINGFUL_STOP_WORDS.has(word)

const toContentStems = (text: string): string =>
  tokenise(text)
    .filter(({ lower }) => isMeaningfulStopWord(lower) || !isStopWord(lower))
    .map(({ stem, number }) => (number === null ? stem : String(number)))
    .toSorted()
    .join(' ')

/** Compares content words; a question without any never matches. */
export function isSameQuestion(a: string, b: string): boolean {
  const contentStems = toContentStems(a)
  return contentStems !== '' && contentStems === toContentStems(b)
}
