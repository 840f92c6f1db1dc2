import { isStopWord } from '../engine/read/stop-words.ts'
import { tokenise } from '../engine/words/tokens.ts'

/** Stop words that do change the meaning. */
const MEANINGFUL = new Set([
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

export const isMeaningful = (word: string): boolean => MEANINGFUL.has(word)

const toContent = (text: string): string =>
  tokenise(text)
    .filter(({ lower }) => isMeaningful(lower) || !isStopWord(lower))
    .map(({ stem, number }) => (number === null ? stem : String(number)))
    .toSorted()
    .join(' ')

/** Compares content words; a question without any never matches. */
export function isSameQuestion(a: string, b: string): boolean {
  const content = toContent(a)
  return content !== '' && content === toContent(b)
}
