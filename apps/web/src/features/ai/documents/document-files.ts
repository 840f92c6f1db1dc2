import { MAX_DOCUMENT_BYTES } from '@trellis/contract/ai/documents.schemas'
import { formatBytes } from '../../../ui/data/amounts.ts'
import { showToast } from '../../../ui/feedback/toasts.ts'

export const DOCUMENT_TYPES = '.txt,.md,.csv,.pdf,.docx'

/** All or none: shows an error when a file is too large. */
export function rejectLargeFiles(files: readonly File[]): readonly File[] {
  const large = files.find(({ size }) => size > MAX_DOCUMENT_BYTES)
  if (!large) return files
  showToast({ tone: 'danger', text: `${large.name} is larger than ${formatBytes(MAX_DOCUMENT_BYTES)}.` })
  return []
}
