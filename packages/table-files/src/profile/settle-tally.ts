import { NOTHING } from '../read/csv-rows.ts'
import { type ColumnTally, computeLikelyKinds, recordMarks } from './column-profile.ts'
import { mergeReach } from './number-reach.ts'

export function mergeTally(into: ColumnTally, from: ColumnTally): void {
  into.values += from.values
  into.empty += from.empty
  into.longest = Math.max(into.longest, from.longest)
  into.forced ??= from.forced
  mergeReach(into.reach, from.reach)
  for (const [word, count] of from.words) into.words.set(word, (into.words.get(word) ?? 0) + count)
  if (from.values === 0) return
  into.kinds &= from.kinds
  if ((into.likelyKinds & from.likelyKinds) === 0) into.misfits += from.values
  else {
    into.likelyKinds &= from.likelyKinds
    into.misfits += from.misfits
  }
  for (const [mark, text] of from.examples) recordMarks(into, text, mark)
}

/** N/A and the like are null if all other values of the column are typed. */
export function countNullWords(tally: ColumnTally): boolean {
  const isTyped = tally.values > 0 && computeLikelyKinds(tally) !== 0
  for (const [word, count] of tally.words) {
    if (isTyped || word === NOTHING) {
      tally.empty += count
      continue
    }
    tally.words.delete(word)
    if (/^null$/i.test(word)) tally.keptWord = word
    tally.values += count
    tally.longest = Math.max(tally.longest, word.length)
    tally.kinds = 0
    tally.likelyKinds = 0
  }
  return tally.words.size > 0
}
