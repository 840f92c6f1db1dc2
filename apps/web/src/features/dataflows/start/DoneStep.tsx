import { Plus, Settings2 } from 'lucide-react'
import { Link } from 'react-router'
import { Button, ButtonLink } from '../../../ui/actions/Button.tsx'
import { formatCount, wholeNumber } from '../../../ui/data/amounts.ts'
import { Banner } from '../../../ui/feedback/Banner.tsx'
import { Skeleton } from '../../../ui/feedback/Skeleton.tsx'
import { SidePanel } from '../../../ui/overlays/SidePanel.tsx'
import { useDataflowsScope } from '../dataflows.queries.ts'
import { SampleRows } from '../setup/panes/PaneFrame.tsx'
import { useManagedDatabases, useTableRows } from '../setup/setup.queries.ts'
import { useFirstRun, type StartedFlow } from './start.queries.ts'
import styles from './start.module.css'

const MAX_ROWS = 8

interface DoneProps {
  dataflow: string
  started: StartedFlow
  onClose: () => void
  onNext: (block: string) => void
}

export function DoneStep({ dataflow, started, onClose, onNext }: DoneProps) {
  const { paths } = useDataflowsScope()
  const { data: run } = useFirstRun(started.flowRun)
  const isOver = run !== undefined && run.state !== 'running'
  return (
    <SidePanel
      isWide
      title="Your dataflow is live"
      onClose={onClose}
      footer={
        <>
          <ButtonLink icon={<Settings2 aria-hidden />} to={paths.setup(dataflow, started.block)}>
            Open its settings
          </ButtonLink>
          <Button icon={<Plus aria-hidden />} onClick={() => onNext(started.block)}>
            Add what comes next
          </Button>
          <Button variant="primary" data-autofocus onClick={onClose}>
            Done
          </Button>
        </>
      }
    >
      <div className={styles.body}>
        {started.problem !== null && (
          <Banner tone="warning" title="It is published, but the first run did not start">
            {started.problem}
          </Banner>
        )}
        {run?.state === 'failed' && (
          <Banner tone="danger" title="The first run failed">
            {run.runs.at(-1)?.problem?.message ?? 'Its log says why.'}
          </Banner>
        )}
        {started.flowRun !== null && (
          <p role="status" className={styles.progress}>
            {run?.state === 'succeeded'
              ? `${formatCount(run.rows_written, 'row')} loaded by the first run.`
              : !isOver && `The first run is going: ${wholeNumber(run?.rows_written ?? 0)} rows so far.`}{' '}
            <Link to={paths.flowRun(dataflow, started.flowRun)}>See the run</Link>
          </p>
        )}
        {run?.state === 'succeeded' ? (
          <LoadedTables tables={started.tables} />
        ) : (
          !isOver && started.flowRun !== null && <Skeleton height={240} />
        )}
      </div>
    </SidePanel>
  )
}

function LoadedTables({ tables }: Pick<StartedFlow, 'tables'>) {
  const { paths } = useDataflowsScope()
  const { data: databases } = useManagedDatabases()
  const database = databases?.[0]?.integration_trellis_code ?? null
  const [first] = tables
  const rows = useTableRows(database, first)
  return (
    <>
      <ul className={styles.loaded} aria-label="Tables">
        {tables.map((table) => (
          <li key={`${table.schema}.${table.table}`}>
            {database === null ? (
              table.table
            ) : (
              <Link to={paths.table(database, table)}>{`${table.schema}.${table.table}`}</Link>
            )}
          </li>
        ))}
      </ul>
      {first && (
        <section className={styles.rows} aria-label="Loaded rows">
          <h3>{`${first.schema}.${first.table}`}</h3>
          <SampleRows
            sample={
              rows.data && {
                columns: rows.data.columns,
                rows: rows.data.rows.slice(0, MAX_ROWS).map(({ cells }) => cells),
                is_cut: rows.data.next !== null || rows.data.rows.length > MAX_ROWS,
                notes: [],
              }
            }
            error={rows.error}
            isOld={false}
            title={first.table}
          />
        </section>
      )}
    </>
  )
}
