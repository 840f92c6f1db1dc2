import { FileText, X } from 'lucide-react'
import { IconButton } from '../../../ui/actions/IconButton.tsx'
import { StatusDot } from '../../../ui/feedback/Status.tsx'
import { useAttachments, useDeleteDocument } from '../documents/documents.queries.ts'
import { TASK_STATUSES } from '../documents/task-status.ts'
import type { ChatParams } from '../conversations.queries.ts'
import styles from './question-box.module.css'

export function Attachments({ params }: { params: ChatParams }) {
  const { data } = useAttachments(params)
  const remove = useDeleteDocument()
  const { account_trellis_code, workspace_address } = params
  if (!data || data.items.length === 0) return null
  return (
    <ul aria-label="Attached files" className={styles.files}>
      {data.items.map(({ file_id, name, status, problem }) => (
        <li key={file_id} className={styles.file} title={problem ?? undefined}>
          <FileText aria-hidden />
          <span className={styles.fileName}>{name}</span>
          <StatusDot tone={TASK_STATUSES[status].tone} isBusy={status === 'in_progress'}>
            {status === 'completed' ? 'Ready' : TASK_STATUSES[status].word}
          </StatusDot>
          {problem !== null && <span className={styles.note}>{problem}</span>}
          <IconButton
            size="sm"
            label={`Remove ${name}`}
            icon={<X aria-hidden />}
            onClick={() => remove.mutate({ params: { account_trellis_code, workspace_address, file_id } })}
          />
        </li>
      ))}
    </ul>
  )
}
