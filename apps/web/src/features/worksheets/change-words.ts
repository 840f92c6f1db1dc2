import type { DraftState } from '@trellis/contract/worksheets/worksheets.schemas'

export const CHANGE_LABELS: Record<DraftState, string> = {
  unchanged: 'Published',
  added: 'New',
  edited: 'Edited',
  renamed: 'Renamed',
  deleted: 'Deleted',
}
