import { formatClock, formatDate } from '../schedules/in-words.ts'

/** All but the first are reasons why a due time did not start a run. */
export const TICK_OUTCOMES = [
  'fired',
  'waits_for_others',
  'missed_older',
  'missed_late',
  'missed_too_many',
  'replaced',
  'overlapped',
  'changed',
  'blocked',
  'paused',
] as const
export type TickOutcome = (typeof TICK_OUTCOMES)[number]

const REASONS: Record<TickOutcome, string> = {
  fired: 'It started a run.',
  waits_for_others: 'It arrived and waits for the other branches.',
  missed_older: 'Trellis was not running then, and a later due time was run in its place.',
  missed_late: 'Trellis was not running then, and this schedule does not make up for missed times.',
  missed_too_many: 'Trellis was not running then, and more times were missed than are made up for.',
  replaced: 'A run was still going on, and a newer due time took its place in the queue.',
  overlapped: 'A run was still going on, and this block skips what comes meanwhile.',
  changed: 'The schedule was changed before it came due.',
  blocked: 'The workspace could not run anything: its plan has ended or its storage is full.',
  paused: 'The dataflow was paused.',
}

export const describeOutcome = (outcome: TickOutcome): string => REASONS[outcome]

export function describeTick(at: number, outcome: TickOutcome, missing: readonly string[]): string {
  const when = `Due ${formatDate(at)}, ${formatClock(at)} UTC. `
  if (outcome === 'waits_for_others' && missing.length > 0) {
    return `${when}It arrived and waits for ${missing.join(', ')}.`
  }
  return when + REASONS[outcome]
}
