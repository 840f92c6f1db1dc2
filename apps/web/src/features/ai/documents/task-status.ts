import type { UploadTask } from '@trellis/contract/ai/documents.schemas'
import type { Tone } from '../../../ui/feedback/Status.tsx'

export const TASK_STATUSES: Record<UploadTask['status'], { word: string; tone: Tone }> = {
  in_progress: { word: 'In progress', tone: 'info' },
  completed: { word: 'Completed', tone: 'success' },
  failed: { word: 'Failed', tone: 'danger' },
}
