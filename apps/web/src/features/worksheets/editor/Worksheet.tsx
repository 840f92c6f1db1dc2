import type { SqlTransaction } from '@trellis/contract/sql/transactions.schemas'
import type { UserFile } from '@trellis/contract/worksheets/worksheets.schemas'
import { lazy, Suspense, useEffect, useMemo, useRef, useState } from 'react'
import { useSqlAssist } from '../../../sql-language/worker/use-sql-assist.ts'
import { Banner } from '../../../ui/feedback/Banner.tsx'
import { Button } from '../../../ui/actions/Button.tsx'
import { Skeleton } from '../../../ui/feedback/Skeleton.tsx'
import { ConfirmDialog } from '../../../ui/overlays/ConfirmDialog.tsx'
import { NoResult } from '../results/NoResult.tsx'
import { useWorksheets } from '../use-worksheets.ts'
import { useFetchWorksheet, useUserBranch } from '../worksheets.queries.ts'
import { listErrorMarks } from './error-marks.ts'
import styles from './editor.module.css'
import { ConflictNotice } from './draft/ConflictNotice.tsx'
import { useDraft } from './draft/use-draft.ts'
import { useRunAtOnce } from './use-run-at-once.ts'
import { type RunningQuery, useRunning } from './use-running.ts'
import { type OpenPart, WorksheetBar } from './WorksheetBar.tsx'
import { toRunOptions } from './running/run-options.ts'
import { type ParameterState, useParameters } from './running/use-parameters.ts'
import { type CommitMode, useCommitMode } from './transaction/use-commit-mode.ts'
import { useTransaction } from './transaction/transaction.queries.ts'
import { useEditorSettings, useSqlLimits } from './settings/editor-settings.queries.ts'
import { switchPane } from './switch-pane.ts'
import { useTabs } from './tabs/use-tabs.ts'
import { WorksheetTabs } from './tabs/WorksheetTabs.tsx'
import { useIsPhone } from './use-is-phone.ts'
import { useRefreshAfterDdl } from './use-refresh-after-ddl.ts'
import { useWorksheetCommands } from './use-worksheet-commands.ts'
import type { EditorHandle, RunRequest } from './worksheet-editor-props.ts'

const WorksheetEditor = lazy(() => import('./WorksheetEditor.tsx').catch(() => import('./PlainWorksheetEditor.tsx')))
const PlainWorksheetEditor = lazy(() => import('./PlainWorksheetEditor.tsx'))
const loadResults = () => import('../results/ResultsPanel.tsx')
const ResultsPanel = lazy(async () => ({ default: (await loadResults()).ResultsPanel }))
const TransactionBar = lazy(() => import('./transaction/TransactionBar.tsx'))
const ParametersBar = lazy(async () => ({ default: (await import('./running/ParametersBar.tsx')).ParametersBar }))
const EditorSettingsDialog = lazy(async () => ({
  default: (await import('./settings/EditorSettingsDialog.tsx')).EditorSettingsDialog,
}))
const KeyboardHelp = lazy(async () => ({
  default: (await import('../../../app/shell/KeyboardHelp.tsx')).KeyboardHelp,
}))
const PushDialog = lazy(async () => ({ default: (await import('./PushDialog.tsx')).PushDialog }))
const RunAsDataflowDialog = lazy(async () => ({
  default: (await import('../scheduled/RunAsDataflowDialog.tsx')).RunAsDataflowDialog,
}))
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
  const { settings, change } = useEditorSettings(params)
  const limits = useSqlLimits(params)
  const parameters = useParameters(file.file_id, draft.text)
  const transaction = useTransaction(params, file.file_id)
  const [commitMode, setCommitMode] = useCommitMode(file.file_id, transaction.isOpen)
  const running = useRunning(file.file_id, draft.text.get, {
    ...toRunOptions(settings, limits, parameters.choose),
    commit: commitMode,
  })
  useRunAtOnce(running, draft.text.get)
  const branch = useUserBranch(params, projectId)
  const assist = useSqlAssist({ ...params, integration_trellis_code: running.database }, settings.snippets)
  useRefreshAfterDdl(running.job, assist)
  const tabs = useTabs({ projectId, fileId: file.file_id, name: file.name })
  const isPhone = useIsPhone()
  const Editor = isPhone ? PlainWorksheetEditor : WorksheetEditor
  const refetch = useFetchWorksheet(params, { projectId, fileId: file.file_id })
  const [open, setOpen] = useState<OpenPart | null>(null)
  const request = useRef<(extent: 'statement' | 'all') => RunRequest>(() => ({ text: '', sql: '', offset: 0 }))
  const handle = useRef<EditorHandle | null>(null)
  const run = (extent: 'statement' | 'all', explain: 'none' | 'plan' | 'analyze' = 'none') =>
    running.run(request.current(extent), explain)
  useWorksheetCommands({ run, format: () => void handle.current?.format(), open: setOpen, tabs })
  const { job, ran } = running
  const refreshTransaction = transaction.refresh
  useEffect(() => refreshTransaction(), [refreshTransaction, job?.job_id, job?.status])
  const marks = useMemo(() => listErrorMarks(job, ran.text, ran.offset), [job, ran])
  const changeNow = branch.data
    ? (branch.data.changes.find(({ file_id }) => file_id === file.file_id)?.change ?? 'unchanged')
    : file.change
  useEffect(() => {
    // Prefetched; errors surface when the results render.
    loadResults().catch(() => undefined)
  }, [])
  const reopen = () => {
    draft.forget()
    onReopen()
  }
  return (
    <div className={styles.page} onKeyDown={(event) => switchPane(event, () => handle.current?.focus())}>
      <WorksheetTabs tabs={tabs} />
      <WorksheetBar
        projectId={projectId}
        file={file}
        saveState={draft.state}
        running={running}
        onRun={run}
        settings={settings}
        limits={limits}
        onSettings={change}
        onFormat={() => void handle.current?.format()}
        commitMode={commitMode}
        onCommitMode={transaction.isOpen ? null : setCommitMode}
        branch={branch.data}
        onOpen={(part) => void draft.flush().then(() => setOpen(part))}
        onPulled={reopen}
      />
      <div className={styles.writing}>
        <div className={styles.editor}>
          <Suspense fallback={<Skeleton height="100%" />}>
            <Editor
              label={`SQL of ${file.name}`}
              readText={draft.peek}
              marks={marks}
              assist={assist}
              settings={settings}
              onType={draft.type}
              onRun={(request) => running.run(request)}
              onExplain={(request) => running.run(request, 'analyze')}
              onSave={() => void draft.flush()}
              onHelp={() => setOpen('shortcuts')}
              requestRef={request}
              handleRef={handle}
            />
          </Suspense>
        </div>
        <div className={styles.notices}>
          <ConflictNotice state={draft.state} onReopen={reopen} />
          {file.has_conflict && (
            <Banner tone="warning">
              The live branch changed the same lines.{' '}
              <Button size="sm" onClick={() => setOpen('conflicts')}>
                Resolve conflicts
              </Button>
            </Banner>
          )}
        </div>
        <RunBars
          fileId={file.file_id}
          parameters={parameters}
          onRun={() => run('statement')}
          transaction={transaction.last}
          commitMode={commitMode}
          isConnected={!running.canCommitManually}
          onAutocommit={() => setCommitMode('auto')}
        />
      </div>
      <Results running={running} />
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
            address={{ projectId, fileId: file.file_id }}
            onRestored={() => {
              setOpen(null)
              reopen()
            }}
            onClose={() => setOpen(null)}
          />
        )}
        {open === 'settings' && (
          <EditorSettingsDialog settings={settings} limits={limits} onChange={change} onClose={() => setOpen(null)} />
        )}
        {open === 'dataflow' && (
          <RunAsDataflowDialog
            projectId={projectId}
            file={{ ...file, content: draft.text.get(), change: changeNow }}
            onClose={() => setOpen(null)}
          />
        )}
        {open === 'shortcuts' && <KeyboardHelp onClose={() => setOpen(null)} />}
        {open === 'conflicts' && (
          <ConflictsDialog projectId={projectId} onResolved={reopen} onClose={() => setOpen(null)} />
        )}
      </Suspense>
    </div>
  )
}

interface RunBarsProps {
  fileId: string
  parameters: ParameterState
  onRun: () => void
  transaction: SqlTransaction | null
  commitMode: CommitMode
  isConnected: boolean
  onAutocommit: () => void
}

function RunBars({ parameters, onRun, commitMode, ...transaction }: RunBarsProps) {
  return (
    <div>
      <Suspense>
        {parameters.names.length > 0 && <ParametersBar parameters={parameters} onRun={onRun} />}
        {commitMode === 'manual' && <TransactionBar {...transaction} />}
      </Suspense>
    </div>
  )
}

function Results({ running }: { running: RunningQuery }) {
  const { job, problem, firstRows, run } = running
  if (problem !== null || !job) return <NoResult problem={problem} />
  return (
    <Suspense fallback={<div className={styles.results} />}>
      <ResultsPanel job={job} firstRows={firstRows} onRunAgain={(sql) => run({ text: sql, sql, offset: 0 })} />
    </Suspense>
  )
}
