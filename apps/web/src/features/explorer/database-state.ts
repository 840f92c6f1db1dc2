import type { Database } from '@trellis/contract/explorer/explorer.schemas'
import type { Tone } from '../../ui/feedback/Status.tsx'

export const DATABASE_STATES: Record<Database['state'], { tone: Tone; text: string }> = {
  online: { tone: 'success', text: 'Online' },
  provisioning: { tone: 'info', text: 'Being set up' },
  failed: { tone: 'danger', text: 'Could not be set up' },
  unreachable: { tone: 'warning', text: 'Cannot be reached' },
}

export const isBroken = ({ kind, state }: Pick<Database, 'kind' | 'state'>): boolean =>
  kind === 'integration' && state !== 'online'
