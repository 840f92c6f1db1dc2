import { useState } from 'react'
import { Loaded } from '../../../app/loading/Loaded.tsx'
import { Button } from '../../../ui/actions/Button.tsx'
import { DateTime } from '../../../ui/data/DateTime.tsx'
import { EmptyState } from '../../../ui/feedback/EmptyState.tsx'
import { showToast } from '../../../ui/feedback/toasts.ts'
import { SidePanel } from '../../../ui/overlays/SidePanel.tsx'
import { useWorksheets } from '../use-worksheets.ts'
import { useFileDiff, useFileHistory, useRestoreWorksheet } from '../worksheets.queries.ts'
import { DiffView } from './DiffView.tsx'
import styles from './editor.module.css'

interface FileAddress {
  projectId: string
  fileId: string
}

export function HistoryPanel({
  address,
  onRestored,
  onClose,
}: {
  address: FileAddress
  onRestored: () => void
  onClose: () => void
}) {
  const { params } = useWorksheets()
  const history = useFileHistory(params, address)
  const [open, setOpen] = useState<string | null>(null)
  return (
    <SidePanel title="Version history" onClose={onClose}>
      <Loaded query={history} subject="The history">
        {({ items }) =>
          items.length === 0 ? (
            <EmptyState
              title="Not published yet"
              subtitle="Push your changes: every published version is listed here."
            />
          ) : (
            <ul className={styles.versions}>
              {items.map(({ commit, path }) => (
                <li key={commit.commit_id}>
                  <button
                    type="button"
                    aria-expanded={open === commit.commit_id}
                    onClick={() => setOpen(open === commit.commit_id ? null : commit.commit_id)}
                  >
                    {commit.message}
                    <small>
                      {commit.author.name} · <DateTime value={commit.committed_at} format="recent" /> · {path}
                    </small>
                  </button>
                  {open === commit.commit_id && (
                    <Version address={{ ...address, commitId: commit.commit_id }} onRestored={onRestored} />
                  )}
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </SidePanel>
  )
}

function Version({ address, onRestored }: { address: FileAddress & { commitId: string }; onRestored: () => void }) {
  const { params } = useWorksheets()
  const diff = useFileDiff(params, address)
  const restore = useRestoreWorksheet()
  const restoreFile = () =>
    restore.mutate(
      { params, body: { project_id: address.projectId, file_id: address.fileId, commit_id: address.commitId } },
      {
        onSuccess: () => {
          showToast({ tone: 'success', text: 'Version restored in your branch. Push it to publish.' })
          onRestored()
        },
      },
    )
  return (
    <Loaded query={diff} subject="The version" skeletonHeights={[120]}>
      {({ before, after }) => (
        <>
          <DiffView before={before} after={after} />
          <Button size="sm" isBusy={restore.isPending} onClick={restoreFile}>
            Restore this version
          </Button>
        </>
      )}
    </Loaded>
  )
}
