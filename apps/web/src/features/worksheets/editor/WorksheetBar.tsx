import type { SqlLimits } from '@trellis/contract/sql/sql.schemas'
import type { EditorSettings } from '@trellis/contract/worksheets/editor-settings'
import type { UserBranch, UserFile } from '@trellis/contract/worksheets/worksheets.schemas'
import { ChevronDown, Download, Ellipsis, History, Play, Square, Upload } from 'lucide-react'
import { Button } from '../../../ui/actions/Button.tsx'
import { IconButton } from '../../../ui/actions/IconButton.tsx'
import type { Observable } from '../../../ui/data/observable.ts'
import { showToast } from '../../../ui/feedback/toasts.ts'
import { Menu } from '../../../ui/overlays/Menu.tsx'
import { ReadOnlyMark } from '../../../ui/overlays/ReadOnlyMark.tsx'
import { useCancelQuery } from '../sql.queries.ts'
import { useWorksheets } from '../use-worksheets.ts'
import { usePull } from '../worksheets.queries.ts'
import type { SaveState } from './draft/draft-saver.ts'
import { SaveStatus } from './draft/SaveStatus.tsx'
import styles from './editor.module.css'
import { LimitPickers } from './running/LimitPickers.tsx'
import type { CommitMode } from './transaction/use-commit-mode.ts'
import type { RunningQuery } from './use-running.ts'

const VIEWER_REASON =
  'Your role is viewer. You can run queries that read and keep drafts of your own. Pushing, scheduling and changing rows need the role of an editor: ask an admin of the workspace.'

export type OpenPart = 'push' | 'history' | 'conflicts' | 'settings' | 'shortcuts' | 'dataflow'

interface WorksheetBarProps {
  projectId: string
  file: UserFile
  saveState: Observable<SaveState>
  running: RunningQuery
  onRun: (extent: 'statement' | 'all', explain: 'none' | 'plan' | 'analyze') => void
  branch: UserBranch | undefined
  onOpen: (part: OpenPart) => void
  onPulled: () => void
  settings: EditorSettings
  limits: SqlLimits | undefined
  onSettings: (change: Partial<EditorSettings>) => void
  commitMode: CommitMode
  onCommitMode: ((mode: CommitMode) => void) | null
  onFormat: () => void
}

export function WorksheetBar({
  projectId,
  file,
  saveState,
  running,
  onRun,
  branch,
  onOpen,
  onPulled,
  settings,
  limits,
  onSettings,
  commitMode,
  onCommitMode,
  onFormat,
}: WorksheetBarProps) {
  const { params, can } = useWorksheets()
  const cancel = useCancelQuery()
  const { job, isRunning } = running
  return (
    <div className={styles.bar}>
      <div className={styles.name}>
        <h1>{file.name}</h1>
        <SaveStatus state={saveState} />
      </div>
      <select
        aria-label="Database"
        className={styles.database}
        value={running.database ?? ''}
        onChange={(event) => running.choose(event.target.value)}
      >
        {running.databases.map(({ code, name }) => (
          <option key={code} value={code}>
            {name}
          </option>
        ))}
      </select>
      <LimitPickers settings={settings} limits={limits} isFixed={onCommitMode === null} onChange={onSettings} />
      {isRunning && job ? (
        <Button
          icon={<Square aria-hidden />}
          isBusy={cancel.isPending}
          onClick={() => cancel.mutate({ params: { ...params, job_id: job.job_id } })}
        >
          Cancel
        </Button>
      ) : (
        <span className={styles.run}>
          <Button
            variant="primary"
            isBusy={isRunning || running.isWaiting}
            disabled={!running.canRun}
            icon={<Play aria-hidden />}
            onClick={() => onRun('statement', 'none')}
          >
            Run
          </Button>
          <Menu
            label="More ways to run"
            align="end"
            groups={[
              [{ label: 'Run all statements', onSelect: () => onRun('all', 'none') }],
              [
                { label: 'Explain', onSelect: () => onRun('statement', 'plan') },
                { label: 'Explain and analyze', onSelect: () => onRun('statement', 'analyze') },
              ],
            ]}
            trigger={(props) => (
              <IconButton {...props} label="More ways to run" icon={<ChevronDown aria-hidden />} disabled={isRunning} />
            )}
          />
        </span>
      )}
      <Menu
        label="Editor"
        align="end"
        groups={[
          [{ label: 'Format', onSelect: onFormat }],
          ...(onCommitMode
            ? [
                [
                  commitMode === 'auto'
                    ? { label: 'Switch to manual commit', onSelect: () => onCommitMode('manual') }
                    : { label: 'Switch to autocommit', onSelect: () => onCommitMode('auto') },
                ],
              ]
            : []),
          ...(can('dataflows:write')
            ? [[{ label: 'Run this as a dataflow', onSelect: () => onOpen('dataflow') }]]
            : []),
          [
            { label: 'Editor settings', onSelect: () => onOpen('settings') },
            { label: 'Keyboard shortcuts', onSelect: () => onOpen('shortcuts') },
          ],
        ]}
        trigger={(props) => <IconButton {...props} label="Editor" icon={<Ellipsis aria-hidden />} />}
      />
      <IconButton label="Version history" icon={<History aria-hidden />} onClick={() => onOpen('history')} />
      <PullButton projectId={projectId} behind={branch?.behind_count ?? 0} onPulled={onPulled} />
      {!can('worksheets:publish') && <ReadOnlyMark reason={VIEWER_REASON} />}
      {can('worksheets:publish') && (
        <Button
          icon={<Upload aria-hidden />}
          disabled={branch === undefined}
          onClick={() => onOpen((branch?.conflict_count ?? 0) > 0 ? 'conflicts' : 'push')}
        >
          Push
        </Button>
      )}
    </div>
  )
}

function PullButton({ projectId, behind, onPulled }: { projectId: string; behind: number; onPulled: () => void }) {
  const { params } = useWorksheets()
  const pull = usePull()
  const onPull = () =>
    pull.mutate(
      { params, body: { project_id: projectId } },
      {
        onSuccess: ({ updated_count: updated, branch }) => {
          const text =
            branch.conflict_count > 0
              ? `${branch.conflict_count} files have conflicts. Resolve them before you push.`
              : updated === 0
                ? 'Your branch is up to date.'
                : `${updated} ${updated === 1 ? 'file' : 'files'} updated from the live branch.`
          showToast({ tone: branch.conflict_count > 0 ? 'danger' : 'success', text })
          onPulled()
        },
      },
    )
  return (
    <Button icon={<Download aria-hidden />} isBusy={pull.isPending} onClick={onPull}>
      {behind > 0 ? `Pull (${behind})` : 'Pull'}
    </Button>
  )
}
