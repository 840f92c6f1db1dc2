import type { Cell } from '../values/byte-kinds.ts'
import { ALL_MARKS, KIND, NUMERIC } from '../values/kinds.ts'
import { type ColumnTally, recordMarks } from './column-profile.ts'
import { SAFE_DIGITS, reachBytes } from './number-reach.ts'

const POINT = 46

/** A value of a column that is no likely type any more. */
export function countText(tally: ColumnTally, length: number): void {
  tally.values += 1
  tally.kinds = 0
  if (length > tally.longest) tally.longest = length
}

/** False if the value must be counted as text. */
export function countBytes(tally: ColumnTally, cell: Cell, kinds: number): boolean {
  if (kinds < 0 || (tally.likelyKinds & kinds) === 0) return false
  const length = cell.to - cell.from
  tally.values += 1
  tally.kinds &= kinds
  tally.likelyKinds &= kinds
  if (length > tally.longest) tally.longest = length
  if ((kinds & NUMERIC) !== 0 && isBeyondReach(tally, cell, kinds)) reachBytes(tally.reach, cell)
  if ((kinds & ALL_MARKS & ~tally.marks) !== 0)
    recordMarks(tally, cell.buffer.toString('latin1', cell.from, cell.to), kinds & ALL_MARKS)
  return true
}

/** Fast path: most fractions of a column have the same number of decimals. */
function isBeyondReach({ reach }: ColumnTally, { buffer, from, to }: Cell, kinds: number): boolean {
  const isFraction = (kinds & KIND.integer) === 0
  if (isFraction && buffer[to - 1 - reach.point.count] !== POINT) return true
  const signs = isFraction ? to - from - 1 : to - from
  return signs > reach.digits || signs > SAFE_DIGITS
}
