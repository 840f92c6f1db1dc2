import { stemWord } from './stem.ts'

/** A word, number or quoted text of the question. */
export interface Token {
  readonly text: string
  readonly lower: string
  readonly stem: string
  readonly index: number
  /** Capitalised within a sentence, or quoted: probably a proper name. */
  readonly isName: boolean
  readonly number: number | null
}

const TOKEN =
  /"([^"]+)"|“([^”]+)”|'([^']{2,})'(?=\W|$)|(\d{4}-\d{2}(?:-\d{2})?)|([$€£]?\d[\d,]*(?:\.\d+)?(?:k|m|bn)?%?(?![\p{L}\d]))|([<>]=?|!=|=)|([\p{L}\p{N}][\p{L}\p{N}_&]*(?:[.’'-][\p{L}\p{N}_]+)*(?:[+-](?=[\s,.?!)]|$))?)/giu

const NUMBER_WORDS: Readonly<Record<string, number>> = {
  one: 1,
  two: 2,
  three: 3,
  four: 4,
  five: 5,
  six: 6,
  seven: 7,
  eight: 8,
  nine: 9,
  ten: 10,
  twelve: 12,
  fifteen: 15,
  twenty: 20,
  thirty: 30,
  fifty: 50,
  hundred: 100,
  thousand: 1000,
  dozen: 12,
}

const TABLE_MENTION = /(?<![^\s(,])@(?:[\p{L}\p{N}_]+\.)?([\p{L}\p{N}_]+)/gu

/** Splits a text into words, numbers, dates, operators and quoted texts; "@shop.orders" becomes "orders". */
export function tokenise(writtenText: string): Token[] {
  const tokens: Token[] = []
  const question = writtenText.replaceAll(TABLE_MENTION, (_, table: string) => table.replaceAll('_', ' '))
  for (const match of question.matchAll(TOKEN)) {
    const quoted = match[1] ?? match[2] ?? match[3]
    const text = quoted ?? match[0]
    const textBefore = question.slice(0, match.index).trimEnd()
    const isSentenceStart = textBefore === '' || /[.?!:]$/.test(textBefore)
    const lower = text.toLowerCase()
    tokens.push({
      text,
      lower,
      stem: stemWord(text),
      index: tokens.length,
      isName: quoted !== undefined || (/^\p{Lu}/u.test(text) && !isSentenceStart),
      number: parseNumber(lower, match[5] !== undefined),
    })
  }
  return tokens
}

/** "1,500", "3k", "ten" */
function parseNumber(text: string, isNumeric: boolean): number | null {
  if (!isNumeric) return NUMBER_WORDS[text] ?? null
  const [, digits = '', unit = ''] = /^[$€£]?([\d,.]+)(k|m|bn)?%?$/.exec(text) ?? []
  const value = Number(digits.replaceAll(',', ''))
  if (Number.isNaN(value)) return null
  return value * (unit === 'k' ? 1e3 : unit === 'm' ? 1e6 : unit === 'bn' ? 1e9 : 1)
}
