import { NUMERIC } from '../values/kinds.ts'
import { kindsOf } from '../values/value-kinds.ts'

const TOTAL =
  /^(?:grand |sub)?totals?(?: (?:g[eé]n[eé]ral|general))?(?::?$|:? *[:–—-] .{1,40}$)|^(?:gesamt(?:summe|betrag)?|summe|insgesamt|somme|suma|somma|totale|totaal|soma|итого|всего|合計|总计|總計):?$/i
const MAX_SHOWN = 80

/** A sum below the rows counts every amount twice; it is loaded, as it may be a row after all. */
export function warnTotal(last: readonly (string | null)[], rows: number): string[] {
  const filled = last.filter((cell) => cell !== null && cell.trim() !== '') as string[]
  const isTotal =
    rows > 1 &&
    filled.some((cell) => TOTAL.test(cell.trim())) &&
    filled.some((cell) => (kindsOf(cell.trim()) & NUMERIC) !== 0)
  if (!isTotal) return []
  return [
    `The last row looks like a total: ${filled.join(', ').slice(0, MAX_SHOWN)} It is loaded as a row like the others.`,
  ]
}
