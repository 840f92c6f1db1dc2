import type { FileFormat } from '@trellis/contract/explorer/file-formats'
import type { SqlJob, Statement } from '@trellis/contract/sql/sql.schemas'
import { Download, RotateCw, TableProperties } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../../ui/actions/Button.tsx'
import { IconButton } from '../../../ui/actions/IconButton.tsx'
import { StatusDot } from '../../../ui/feedback/Status.tsx'
import { showToast } from '../../../ui/feedback/toasts.ts'
import { Menu } from '../../../ui/overlays/Menu.tsx'
import { type ResultRows, useExportResult } from '../sql.queries.ts'
import { useWorksheets } from '../use-worksheets.ts'
import { PlanView } from './PlanView.tsx'
import { describeResult, STATEMENT_STATES } from './result-words.ts'
import { ResultView } from './ResultView.tsx'
import { useElapsed } from './use-elapsed.ts'
import { RESULT_VIEWS, type ResultViewName, useResultView } from './result-views.ts'
import styles from './results.module.css'

interface ResultsPanelProps {
  job: SqlJob
  firstRows: readonly ResultRows[]
  onRunAgain?: (sql: string) => void
}

export function ResultsPanel({ job, firstRows, onRunAgain }: ResultsPanelProps) {
  const [selected, setSelected] = useState<{ jobId: string; statement: number } | null>(null)
  const [view, chooseView] = useResultView(job.file_id)
  const index = selected?.jobId === job.job_id ? selected.statement : findFirstShown(job)
  const statement = job.statements[index]
  return (
    <section aria-label="Results" className={styles.panel}>
      <div className={styles.head}>
        <StatementTabs
          job={job}
          position={index}
          onChoose={(statement) => setSelected({ jobId: job.job_id, statement })}
        />
        {statement && (
          <>
            {hasRows(statement) && <Views view={view} onChoose={chooseView} />}
            <StatementFacts job={job} statement={statement} />
            {canExport(job, statement) && (
              <>
                {statement.status === 'completed' && <UseResult name={toResultName(job, index)} />}
                <ExportMenu job={job} statement={index} />
              </>
            )}
          </>
        )}
      </div>
      <div className={styles.body}>
        {job.problem && <StatementProblem problem={job.problem} />}
        {isExpired(job) && <Expired job={job} onRunAgain={onRunAgain} />}
        {statement && !isExpired(job) && (
          <Outcome
            key={`${job.job_id} ${index}`}
            view={view}
            job={job}
            index={index}
            statement={statement}
            firstRows={firstRows[index] ?? NO_ROWS}
          />
        )}
      </div>
    </section>
  )
}

const NO_ROWS: ResultRows = []
const hasRows = ({ columns, plan }: Statement): boolean => columns !== null && plan === null
const canExport = (job: SqlJob, { columns }: Statement): boolean =>
  columns !== null && job.finished_at !== null && !isExpired(job)
const isExpired = ({ expires_at }: SqlJob): boolean => Date.parse(expires_at) <= Date.now()

/** `@result…_2` is the second statement's. */
const toResultName = ({ job_id }: SqlJob, statement: number): string =>
  `@result.${job_id}${statement === 0 ? '' : `_${statement + 1}`}`

function UseResult({ name }: { name: string }) {
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(name)
      showToast({ tone: 'success', text: 'Name of the result copied. Use it like a table: select * from @result.…' })
    } catch {
      showToast({ tone: 'danger', text: `The name could not be copied. It is ${name}` })
    }
  }
  return (
    <IconButton
      size="sm"
      label="Use in another query"
      icon={<TableProperties aria-hidden />}
      onClick={() => void copy()}
    />
  )
}

interface StatementTabsProps {
  job: SqlJob
  position: number
  onChoose: (statement: number) => void
}

function StatementTabs({ job, position, onChoose }: StatementTabsProps) {
  return (
    <div role="tablist" aria-label="Results" className={styles.tabs}>
      {job.statements.map(({ status }, index) => (
        <button
          key={index}
          type="button"
          role="tab"
          aria-selected={index === position}
          className={styles.tab}
          onClick={() => onChoose(index)}
        >
          <StatusDot tone={STATEMENT_STATES[status].tone} isBusy={status === 'running'}>
            {job.statements.length === 1 ? 'Result' : `Result ${index + 1}`}
          </StatusDot>
        </button>
      ))}
    </div>
  )
}

/** The failed one, or the last. */
function findFirstShown({ statements }: SqlJob): number {
  const failed = statements.findIndex(({ status }) => status === 'failed' || status === 'cancelled')
  const latest = statements.findLastIndex(({ status }) => status !== 'waiting' && status !== 'skipped')
  return Math.max(0, failed === -1 ? latest : failed)
}

function Expired({ job, onRunAgain }: { job: SqlJob; onRunAgain: ResultsPanelProps['onRunAgain'] }) {
  const [from, to] = [job.statements[0]?.start ?? 0, job.statements.at(-1)?.end]
  return (
    <div className={styles.message}>
      <p>This result expired after a day. Run the query again to see its rows.</p>
      {onRunAgain && (
        <Button size="sm" icon={<RotateCw aria-hidden />} onClick={() => onRunAgain(job.sql.slice(from, to))}>
          Run again
        </Button>
      )}
    </div>
  )
}

function StatementFacts({ job, statement }: { job: SqlJob; statement: Statement }) {
  const elapsed = useElapsed(job)
  return (
    <span className={styles.facts}>
      {describeResult(job, statement)}
      {elapsed !== null && ` · ${elapsed} s`}
    </span>
  )
}

function Views({ view, onChoose }: { view: ResultViewName; onChoose: (view: ResultViewName) => void }) {
  return (
    <div role="group" aria-label="View" className={styles.views}>
      {(Object.keys(RESULT_VIEWS) as ResultViewName[]).map((name) => (
        <button
          key={name}
          type="button"
          aria-pressed={name === view}
          className={styles.view}
          onClick={() => onChoose(name)}
        >
          {RESULT_VIEWS[name]}
        </button>
      ))}
    </div>
  )
}

function Outcome({
  view,
  job,
  index,
  statement,
  firstRows,
}: {
  view: ResultViewName
  job: SqlJob
  index: number
  statement: Statement
  firstRows: ResultRows
}) {
  const { problem, plan, columns, notices } = statement
  return (
    <>
      {problem && <StatementProblem problem={problem} />}
      {notices.length > 0 && (
        <ul className={styles.notices} aria-label="Notices">
          {notices.map(({ severity, message }, key) => (
            <li key={key}>
              {severity}: {message}
            </li>
          ))}
        </ul>
      )}
      {plan !== null && <PlanView plan={plan} />}
      {columns && plan === null && (
        <ResultView view={view} job={job} index={index} result={statement} firstRows={firstRows} />
      )}
      {!problem && !columns && plan === null && statement.status === 'completed' && (
        <p className={styles.message}>Done. {describeResult(job, statement)}</p>
      )}
    </>
  )
}

function StatementProblem({ problem }: { problem: NonNullable<Statement['problem']> }) {
  return (
    <div role="alert" className={styles.problem}>
      <strong>{problem.message}</strong>
      {problem.hint && <p>{problem.hint}</p>}
      <p>
        <code>{problem.code}</code>
      </p>
    </div>
  )
}

const FILE_TYPES: Record<FileFormat, string> = {
  csv: 'CSV',
  xlsx: 'Excel (XLSX)',
  parquet: 'Parquet',
  jsonl: 'JSON lines',
}

function ExportMenu({ job, statement }: { job: SqlJob; statement: number }) {
  const { params } = useWorksheets()
  const save = useExportResult(params, job, statement)
  return (
    <Menu
      label="Export result"
      align="end"
      groups={[
        (Object.keys(FILE_TYPES) as FileFormat[]).map((type) => ({
          label: FILE_TYPES[type],
          onSelect: () => save.mutate(type),
        })),
      ]}
      trigger={(props) => (
        <Button {...props} size="sm" isBusy={save.isPending} icon={<Download aria-hidden />}>
          Export
        </Button>
      )}
    />
  )
}
