import { listParameters } from '../text/parameters.ts'
import { blankMetaLines } from '../text/statements.ts'
import { nameResults } from '../text/result-names.ts'
import { readTokens } from '@trellis/sql-grammar/tokens'

/** Same length and offsets: `:name` becomes `$1`, `@result.…` a table, psql commands blanks. */
export function toParsable(sql: string): string {
  const text = nameResults(blankMetaLines(sql))
  if (!text.includes(':')) return text
  const numbers = new Map<string, number>()
  let parsable = ''
  let done = 0
  for (const { name, start, end } of listParameters(readTokens(text))) {
    const number = numbers.get(name) ?? numbers.size + 1
    numbers.set(name, number)
    // A one-letter name has room for one digit.
    parsable += `${text.slice(done, start)}${`$${number}`.slice(0, end - start).padEnd(end - start)}`
    done = end
  }
  return parsable + text.slice(done)
}
