import type { Label } from '@trellis/contract/explorer/explorer.schemas'
import { Pencil, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../../ui/actions/Button.tsx'
import { IconButton } from '../../../ui/actions/IconButton.tsx'
import { formatCount } from '../../../ui/data/amounts.ts'
import { ConfirmDialog } from '../../../ui/overlays/ConfirmDialog.tsx'
import { Dialog } from '../../../ui/overlays/Dialog.tsx'
import { useDeleteLabel, useLabels } from '../labels.queries.ts'
import { Loaded } from '../../../app/loading/Loaded.tsx'
import { useExplorer } from '../use-explorer.ts'
import { LabelForm } from './LabelForm.tsx'
import { LabelDot } from './LabelMarks.tsx'
import styles from './labels.module.css'

export default function LabelsDialog({ onClose }: { onClose: () => void }) {
  const { params, can } = useExplorer()
  const labels = useLabels(params)
  const remove = useDeleteLabel()
  const [editing, setEditing] = useState<number | 'new' | null>(null)
  const [leaving, setLeaving] = useState<(Label & { table_count: number }) | null>(null)
  const canWrite = can('explorer:write')
  if (leaving) {
    return (
      <ConfirmDialog
        title={`Delete the label ${leaving.name}?`}
        isBusy={remove.isPending}
        onClose={() => setLeaving(null)}
        onConfirm={() => remove.mutate({ params, body: { id: leaving.id } }, { onSettled: () => setLeaving(null) })}
      >
        {leaving.table_count === 0
          ? 'No table carries it.'
          : `${formatCount(leaving.table_count, 'table')} will lose it. The tables themselves stay.`}{' '}
        This can not be undone.
      </ConfirmDialog>
    )
  }
  return (
    <Dialog title="Labels" size="md" onClose={onClose}>
      <p>Labels mark tables that belong together or need care, across all schemas of this workspace.</p>
      <Loaded query={labels} subject="The labels">
        {(all) => (
          <>
            <ul className={styles.list} aria-label="Labels">
              {all.map((label) =>
                editing === label.id ? (
                  <li key={label.id}>
                    <LabelForm label={label} onDone={() => setEditing(null)} />
                  </li>
                ) : (
                  <li key={label.id} className={styles.line}>
                    <LabelDot color={label.color} />
                    <span className={styles.lineName}>{label.name}</span>
                    <span className={styles.tables}>{formatCount(label.table_count, 'table')}</span>
                    {canWrite && (
                      <>
                        <IconButton
                          size="sm"
                          label={`Change ${label.name}`}
                          icon={<Pencil aria-hidden />}
                          onClick={() => setEditing(label.id)}
                        />
                        <IconButton
                          size="sm"
                          label={`Delete ${label.name}`}
                          icon={<Trash2 aria-hidden />}
                          onClick={() => setLeaving(label)}
                        />
                      </>
                    )}
                  </li>
                ),
              )}
            </ul>
            {all.length === 0 && <p>There are no labels yet.</p>}
            {canWrite &&
              (editing === 'new' ? (
                <LabelForm onDone={() => setEditing(null)} />
              ) : (
                <Button size="sm" onClick={() => setEditing('new')}>
                  New label
                </Button>
              ))}
          </>
        )}
      </Loaded>
    </Dialog>
  )
}
