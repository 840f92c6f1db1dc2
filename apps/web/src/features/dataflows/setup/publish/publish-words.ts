import type { BlockCard } from '@trellis/contract/dataflows/task-blocks.schemas'
import { formatCount } from '../../../../ui/data/amounts.ts'

export interface PublishWords {
  label: string
  note: string
  canPublish: boolean
  /** A click leads to the errors. */
  leadsToFaults: boolean
}

const MAX_NAMED = 3

export function describePublish(
  state: BlockCard['publish_state'],
  faults: readonly { kind: 'missing' | 'invalid'; message: string }[],
): PublishWords {
  if (faults.length > 0) {
    const isWrong = faults.some(({ kind }) => kind === 'invalid')
    const named = faults.slice(0, MAX_NAMED).map(({ message }) => message.replace(/\.$/, ''))
    const rest = faults.length - named.length
    const note = `${named.join('. ')}.${rest > 0 ? ` And ${formatCount(rest, 'more thing')}.` : ''}`
    const label = isWrong ? `Invalid: ${faults.length} to fix` : `Incomplete: ${faults.length} missing`
    return { label, note, canPublish: false, leadsToFaults: true }
  }
  if (state === 'published') {
    return { label: 'Nothing to publish', note: 'The draft is what runs.', canPublish: false, leadsToFaults: false }
  }
  if (state === 'never')
    return {
      label: 'Publish',
      note: 'Not published yet: triggers do not start it.',
      canPublish: true,
      leadsToFaults: false,
    }
  return { label: 'Publish changes', note: 'The draft differs from what runs.', canPublish: true, leadsToFaults: false }
}
