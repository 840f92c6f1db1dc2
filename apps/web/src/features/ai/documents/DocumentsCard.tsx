import type { Document } from '@trellis/contract/ai/documents.schemas'
import { Upload } from 'lucide-react'
import { useRef, useState } from 'react'
import { Loaded } from '../../../app/loading/Loaded.tsx'
import { Button } from '../../../ui/actions/Button.tsx'
import { formatBytes, formatCount } from '../../../ui/data/amounts.ts'
import { DateTime } from '../../../ui/data/DateTime.tsx'
import { RowActions } from '../../../ui/data/RowActions.tsx'
import { Badge, StatusDot } from '../../../ui/feedback/Status.tsx'
import { Card } from '../../../ui/layout/Card.tsx'
import { ConfirmDialog } from '../../../ui/overlays/ConfirmDialog.tsx'
import { Pager } from '../Pager.tsx'
import styles from '../projects/projects.module.css'
import { useAi } from '../use-ai.ts'
import { useDeleteDocument, useDocuments, useUploadDocuments } from './documents.queries.ts'
import { DOCUMENT_TYPES, rejectLargeFiles } from './document-files.ts'
import { TASK_STATUSES } from './task-status.ts'

export function DocumentsCard({ project }: { project: string }) {
  const { params, can } = useAi()
  const [page, setPage] = useState(1)
  const documents = useDocuments(params, project, page)
  const upload = useUploadDocuments(params, project)
  const input = useRef<HTMLInputElement>(null)
  const send = (files: readonly File[]) => {
    const accepted = rejectLargeFiles(files)
    if (accepted.length > 0) upload.mutate(accepted)
  }
  return (
    <Card
      isFlush
      title="Documents"
      subtitle="Text, Markdown, CSV, PDF and Word files. Answers quote the passages that match a question."
      actions={
        can('ai:write') && (
          <>
            <input
              ref={input}
              type="file"
              multiple
              hidden
              aria-label="Choose documents"
              accept={DOCUMENT_TYPES}
              onChange={(event) => {
                send([...(event.target.files ?? [])])
                // Allows choosing the same file again.
                event.target.value = ''
              }}
            />
            <Button
              size="sm"
              icon={<Upload aria-hidden />}
              isBusy={upload.isPending}
              onClick={() => input.current?.click()}
            >
              Upload documents
            </Button>
          </>
        )
      }
    >
      <Loaded query={documents} subject="The documents" skeletonHeights={[72]}>
        {({ items, pages }) => (
          <>
            {items.length === 0 && (
              <p className={styles.empty}>
                No documents yet. Upload a price list, a policy or a manual, and ask what it says.
              </p>
            )}
            <ul aria-label="Documents" className={styles.list}>
              {items.map((document) => (
                <DocumentLine key={document.file_id} document={document} />
              ))}
            </ul>
            <Pager page={page} pages={pages} onPage={setPage} />
          </>
        )}
      </Loaded>
    </Card>
  )
}

function DocumentLine({ document }: { document: Document }) {
  const { params, can } = useAi()
  const remove = useDeleteDocument()
  const [isDeleting, setDeleting] = useState(false)
  const { file_id, name, status, problem, project_trellis_code, created_at } = document
  const { word, tone } = TASK_STATUSES[status]
  return (
    <li className={styles.context}>
      <div className={styles.contextText}>
        <strong>{name}</strong> {project_trellis_code === null && <Badge>Every project</Badge>}
        <p>
          <StatusDot tone={tone} isBusy={status === 'in_progress'}>
            {word}
          </StatusDot>{' '}
          · {describeDocument(document)} · <DateTime value={created_at} format="recent" />
        </p>
        {problem !== null && <p className={styles.problem}>{problem}</p>}
      </div>
      {can('ai:write') && (
        <RowActions
          label={`Actions for ${name}`}
          groups={[[{ label: 'Delete', isDanger: true, onSelect: () => setDeleting(true) }]]}
        />
      )}
      {isDeleting && (
        <ConfirmDialog
          title={`Delete ${name}?`}
          isBusy={remove.isPending}
          onConfirm={() => remove.mutate({ params: { ...params, file_id } }, { onSuccess: () => setDeleting(false) })}
          onClose={() => setDeleting(false)}
        >
          <p>Answers from now on do without it. Earlier answers keep the passages they quote.</p>
        </ConfirmDialog>
      )}
    </li>
  )
}

function describeDocument({ size_bytes, page_count, passage_count, is_cut, status }: Document): string {
  return [
    formatBytes(size_bytes),
    page_count === null ? null : formatCount(page_count, 'page'),
    status === 'completed' ? formatCount(passage_count, 'passage') : null,
    is_cut ? 'only its beginning is read' : null,
  ]
    .filter((fact) => fact !== null)
    .join(' · ')
}
