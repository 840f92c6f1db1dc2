import { findTimes } from '../words/times.ts'
import { tokenise } from '../words/tokens.ts'

const CHANGES_QUESTION =
  /^(?:please\s+)?(?:what(?:'s|’s| is| has| have| was)?|show (?:me )?(?:what|the)?|(?:has|did|is there) anything|which tables?(?: have| were| was)?|tell me what)\s*(?:been |got |was |has )?(?:changed?|changes|new|happened?|loaded|updated|refreshed)(?:\s+(?:in|to|with)\s+(?:my|our|the|this)\s+(?:data|tables?|workspace|project))?\s*(.*?)[?.!\s]*$/i

export interface ChangesRequest {
  readonly since: Date
  readonly label: string
}

const DAY_MS = 86_400_000

/** “what changed since yesterday?”. Any word that is not a time means another kind of question. */
export function parseChangesQuestion(text: string, now: Date): ChangesRequest | undefined {
  const timePhrase = CHANGES_QUESTION.exec(text.trim())?.[1]
  if (timePhrase === undefined) return undefined
  const tokens = tokenise(timePhrase)
  if (tokens.length === 0) return { since: getStartOfDay(now, 1), label: 'since yesterday' }
  const [time, secondTime] = findTimes(tokens, now)
  if (!time?.range.from || secondTime || time.end < tokens.length || time.start > 1) return undefined
  if (time.start === 1 && tokens[0]?.lower !== 'since') return undefined
  const label = time.range.label
  return {
    since: new Date(`${time.range.from}T00:00:00Z`),
    label: label.startsWith('last') || label.startsWith('since') ? label : `since ${label}`,
  }
}

const getStartOfDay = (now: Date, daysBefore: number): Date =>
  new Date(Math.floor(now.getTime() / DAY_MS - daysBefore) * DAY_MS)
