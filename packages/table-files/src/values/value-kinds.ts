import { countFields, countWrittenFields } from '../read/json/json-duplicates.ts'
import { KIND, MARK } from './kinds.ts'
import { momentKinds, timeKinds } from './moments.ts'
import { numberKinds } from './numbers.ts'

const WORDS = new Set(['true', 'false', 't', 'f', 'yes', 'no', 'y', 'n', 'on', 'off'])
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
const NO_CHARACTER = /(?:^|[^\\])(?:\\\\)*\\u0000/
const WORD_FIRST = /^\p{L}{3,10}[.,]?[- ].*\d/u

/** Leading zeros and a plus sign are significant: such values stay text. */
export function detectKinds(value: string): number {
  const first = value.charCodeAt(0)
  if (first >= 48 && first <= 57) {
    return numberKinds(value) || momentKinds(value) || timeKinds(value) || uuidKinds(value)
  }
  if (first === 123 || first === 91) return isJson(value) ? KIND.json : 0
  if (value.length <= 5 && WORDS.has(value.toLowerCase())) {
    return KIND.boolean | (value === 'true' || value === 'false' ? 0 : MARK.word)
  }
  if (value.length === 36 && UUID.test(value)) return uuidKinds(value)
  if (WORD_FIRST.test(value)) return momentKinds(value) || numberKinds(value)
  if (value === 'NaN') return KIND.float | KIND.commaFloat | KIND.decimal | KIND.commaDecimal
  return numberKinds(value)
}

function uuidKinds(value: string): number {
  if (value.length !== 36 || !UUID.test(value)) return 0
  return KIND.uuid | (/[A-F]/.test(value) ? MARK.capitals : 0)
}

/** jsonb would drop duplicate fields, and cannot store NUL. */
function isJson(value: string): boolean {
  try {
    return countFields(JSON.parse(value)) === countWrittenFields(value) && !NO_CHARACTER.test(value)
  } catch {
    return false
  }
}
