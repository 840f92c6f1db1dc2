import type { UserFile } from '@trellis/contract/worksheets/worksheets.schemas'
import { lazy, Suspense, useMemo, useRef, useState } from 'react'
import { Banner } from '../../../ui/feedback/Banner.tsx'
import { Button } from '../../../ui/actions/Button.tsx'
import { Skeleton } from '../../../ui/feedback/Skeleton.tsx'
import { ConfirmDialog } from '../../../ui/overlays/ConfirmDialog.tsx'
import { ResultsPanel } from '../results/ResultsPanel.tsx'
import { useWorksheets } from '../use-worksheets.ts'
import { useFetchWorksheet, useUserBranch } from '../worksheets.queries.ts'
import { listErrorMarks } from './error-marks.ts'
import styles from './editor.module.css'
import { useDraft } from './use-draft.ts'
import { useRunAtOnce } from './use-run-at-once.ts'
import { useRunning } from './use-running.ts'
import { useSqlCompletions } from './use-sql-completions.ts'
import { type OpenPart, WorksheetBar } from './WorksheetBar.tsx'
import type { RunRequest } from './WorksheetEditor.tsx'

const WorksheetEditor = lazy(() => import('./WorksheetEditor.tsx'))
const PushDialog = lazy(async () => ({ default: (await import('./PushDialog.tsx')).PushDialog }))
const HistoryPanel = lazy(async () => ({ default: (await import('./HistoryPanel.tsx')).HistoryPanel }))
const ConflictsDialog = lazy(async () => ({ default: (await import('./ConflictsDialog.tsx')).ConflictsDialog }))

interface WorksheetProps {
  projectId: string
  file: UserFile
  onReopen: () => void
}

export function Worksheet({ projectId, file, onReopen }: WorksheetProps) {
  const { params } = useWorksheets()
  const draft = useDraft(projectId, file)
  const running = useRunning(file.file_id, draft.text)
  useRunAtOnce(running, draft.text)
  const branch = useUserBranch(params, projectId)
  const completions = useSqlCompletions(running.database)
  const refetch = useFetchWorksheet(params, { projectId, fileId: file.file_id })
  const [open, setOpen] = useState<OpenPart | null>(null)
  const request = useRef<(what: 'statement' | 'all') => RunRequest>(() => ({ text: '', sql: '', offset: 0 }))
  const { job, ran } = running
  const marks = useMemo(() => listErrorMarks(job, ran.text, ran.offset), [job, ran])
  const reopen = () => {
    draft.forget()
    onReopen()
  }
  return (
    <div className={styles.page}>
      <WorksheetBar
        projectId={projectId}
        file={file}
        saveState={draft.state}
        running={running}
        onRun={(what, explain) => running.run(request.current(what), explain)}
        branch={branch.data}
        onOpen={(part) => void draft.flush().then(() => setOpen(part))}
        onPulled={reopen}
      />
      <div className={styles.editor}>
        <Suspense fallback={<Skeleton height="100%" />}>
          <WorksheetEditor
            label={`SQL of ${file.name}`}
            value={draft.text}
            isReadOnly={false}
            marks={marks}
            completions={completions}
            onChange={draft.change}
            onRun={(request) => running.run(request)}
            onExplain={(request) => running.run(request, 'analyze')}
            onSave={() => void draft.flush()}
            requestRef={request}
          />
        </Suspense>
      </div>
      <div className={styles.notices}>
        {draft.state === 'conflict' && (
          <Banner tone="warning">
            This worksheet was changed in another tab. Your text is kept among its versions.{' '}
            <Button size="sm" onClick={reopen}>
              Show the other version
            </Button>
          </Banner>
        )}
        {file.has_conflict && (
          <Banner tone="warning">
            The live branch changed the same lines.{' '}
            <Button size="sm" onClick={() => setOpen('conflicts')}>
              Resolve conflicts
            </Button>
          </Banner>
        )}
      </div>
      <ResultsPanel job={job} firstRows={running.firstRows} problem={running.problem} />
      {running.losses !== null && (
        <ConfirmDialog
          title="Run this anyway?"
          confirmLabel="Run"
          onConfirm={running.confirm}
          onClose={running.dismiss}
        >
          <p>{running.losses}</p>
        </ConfirmDialog>
      )}
      <Suspense>
        {open === 'push' && (
          <PushDialog
            projectId={projectId}
            onPublished={() => {
              setOpen(null)
              void refetch().then(draft.adopt)
            }}
            onClose={() => setOpen(null)}
          />
        )}
        {open === 'history' && (
          <HistoryPanel
            at={{ projectId, fileId: file.file_id }}
            onRestored={() => {
              setOpen(null)
              reopen()
            }}
            onClose={() => setOpen(null)}
          />
        )}
        {open === 'conflicts' && (
          <ConflictsDialog projectId={projectId} onResolved={reopen} onClose={() => setOpen(null)} />
        )}
      </Suspense>
    </div>
  )
}
