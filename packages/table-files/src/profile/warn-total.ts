import { NUMERIC } from '../values/kinds.ts'
import { plainNumber } from '../values/numbers.ts'
import { detectKinds } from '../values/value-kinds.ts'
import type { FileTally } from './tally-file.ts'

const TOTAL =
  /^(?:grand |sub)?totals?(?: (?:g[eé]n[eé]ral|general))?(?::?$|:? *[:–—-] .{1,40}$)|^(?:gesamt(?:summe|betrag)?|summe|insgesamt|somme|suma|somma|totale|totaal|soma|итого|всего|合計|总计|總計):?$/i
const MAX_SHOWN = 80
const MIN_SUMMED = 2
/** Tolerance for binary fractions. */
const ROUNDING = 1e-6

/** A total row is loaded but would double sums. */
export function warnTotal({ last, rows, sample }: Pick<FileTally, 'last' | 'rows' | 'sample'>): string[] {
  const filled = last.filter((cell) => !isBlank(cell)) as string[]
  const isTotal =
    rows > 1 &&
    filled.some((cell) => TOTAL.test(cell.trim())) &&
    filled.some((cell) => (detectKinds(cell.trim()) & NUMERIC) !== 0)
  if (!isTotal && !(rows === sample.length && isSumRow(sample))) return []
  return [
    `The last row looks like a total: ${filled.join(', ').slice(0, MAX_SHOWN)} It is loaded as a row like the others.`,
  ]
}

const isBlank = (cell: string | null | undefined) => cell === null || cell === undefined || cell.trim() === ''

/** A sum without a label; excludes sequences such as 1, 2, 3. */
function isSumRow(rows: readonly (readonly (string | null)[])[]): boolean {
  const [last, above] = [rows.at(-1), rows.slice(0, -1)]
  if (!last || above.length < MIN_SUMMED) return false
  const isNameless = isBlank(last[0]) && above.every((row) => !isBlank(row[0]))
  return isNameless && last.some((_, at) => isSum(rows.map((row) => row[at] ?? '')))
}

function isSum(cells: readonly string[]): boolean {
  if (cells.some((cell) => (detectKinds(cell.trim()) & NUMERIC) === 0)) return false
  return [false, true].some((isComma) => {
    const numbers = cells.map((cell) => Number(plainNumber(cell, isComma)))
    const total = numbers.at(-1) ?? 0
    const sum = numbers.slice(0, -1).reduce((before, number) => before + number, 0)
    return total !== 0 && Math.abs(sum - total) < ROUNDING
  })
}
