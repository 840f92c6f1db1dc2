import type { Conflict } from '@trellis/contract/worksheets/worksheets.schemas'
import { Loaded } from '../../../app/loading/Loaded.tsx'
import { Button } from '../../../ui/actions/Button.tsx'
import { Dialog } from '../../../ui/overlays/Dialog.tsx'
import { useWorksheets } from '../use-worksheets.ts'
import { useConflicts, useResolveConflict } from '../worksheets.queries.ts'
import styles from './editor.module.css'

/** The discarded side stays in the file's versions. */
export function ConflictsDialog({
  projectId,
  onResolved,
  onClose,
}: {
  projectId: string
  onResolved: () => void
  onClose: () => void
}) {
  const { params } = useWorksheets()
  const conflicts = useConflicts(params, projectId)
  return (
    <Dialog title="Resolve conflicts" size="lg" onClose={onClose} footer={<Button onClick={onClose}>Close</Button>}>
      <Loaded query={conflicts} subject="The conflicts" skeletonHeights={[200]}>
        {(conflicts) =>
          conflicts.length === 0 ? (
            <p>All conflicts are resolved.</p>
          ) : (
            conflicts.map((conflict) => (
              <OneConflict key={conflict.file_id} projectId={projectId} conflict={conflict} onResolved={onResolved} />
            ))
          )
        }
      </Loaded>
    </Dialog>
  )
}

function OneConflict({
  projectId,
  conflict,
  onResolved,
}: {
  projectId: string
  conflict: Conflict
  onResolved: () => void
}) {
  const { params } = useWorksheets()
  const resolve = useResolveConflict()
  const keep = (side: 'mine' | 'theirs' | 'merged') =>
    resolve.mutate(
      {
        params,
        body: {
          project_id: projectId,
          file_id: conflict.file_id,
          keep: side,
          ...(side === 'merged' && conflict.merged !== null && { content: conflict.merged }),
        },
      },
      { onSuccess: onResolved },
    )
  return (
    <section className={styles.conflict}>
      <h3>{conflict.path}</h3>
      <div className={styles.side}>
        <div>
          Your version
          <pre tabIndex={0}>{conflict.mine?.content ?? 'Deleted'}</pre>
        </div>
        <div>
          Live version
          <pre tabIndex={0}>{conflict.theirs?.content ?? 'Deleted'}</pre>
        </div>
      </div>
      <div className={styles.choices}>
        <Button size="sm" disabled={resolve.isPending} onClick={() => keep('mine')}>
          Keep mine
        </Button>
        <Button size="sm" disabled={resolve.isPending} onClick={() => keep('theirs')}>
          Keep live
        </Button>
        {conflict.merged !== null && (
          <Button size="sm" disabled={resolve.isPending} onClick={() => keep('merged')}>
            Edit both in one text
          </Button>
        )}
      </div>
    </section>
  )
}
