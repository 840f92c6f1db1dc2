import type { SqlJob, Statement } from '@trellis/contract/sql/sql.schemas'
import { useState } from 'react'
import { Checkbox } from '../../../../ui/forms/Choices.tsx'
import { Select } from '../../../../ui/forms/Select.tsx'
import { useWorksheets } from '../../use-worksheets.ts'
import type { LoadedRows } from '../result-rows.queries.ts'
import { useKeptJob, useKeptResults } from './compare.queries.ts'
import { ComparedRows } from './ComparedRows.tsx'
import styles from './compare.module.css'

interface CompareViewProps {
  job: SqlJob
  result: Statement
  loaded: LoadedRows
}

const toLabel = ({ created_at, rows, sql }: { created_at: string; rows: number; sql: string }) =>
  `${created_at.slice(0, 10)} ${created_at.slice(11, 19)} UTC · ${rows.toLocaleString('en-GB')} rows · ${sql.replaceAll(/\s+/g, ' ').slice(0, 80)}`

export default function CompareView({ job, result, loaded }: CompareViewProps) {
  const { params } = useWorksheets()
  const [isOnlyThisWorksheet, setOnlyThisWorksheet] = useState(job.file_id !== null)
  const history = useKeptResults(params, isOnlyThisWorksheet ? job.file_id : null)
  const [selected, setSelected] = useState<string | null>(null)
  const earlierResults = (history.data?.items ?? []).filter(
    ({ job_id, has_results }) => has_results && job_id !== job.job_id,
  )
  return (
    <div className={styles.view}>
      <div className={styles.bar}>
        <Select
          label="Compare with"
          options={earlierResults.map((earlier) => ({ value: earlier.job_id, label: toLabel(earlier) }))}
          placeholder={history.isLoading ? 'Loading results…' : 'Choose an earlier result'}
          value={selected ?? ''}
          onChange={(event) => setSelected(event.target.value === '' ? null : event.target.value)}
        />
        {job.file_id !== null && (
          <Checkbox
            label="Only this worksheet"
            checked={isOnlyThisWorksheet}
            onChange={(event) => setOnlyThisWorksheet(event.target.checked)}
          />
        )}
      </div>
      {history.isError && <p className={styles.message}>Earlier results could not be loaded.</p>}
      {history.data && earlierResults.length === 0 && (
        <p className={styles.message}>
          There is no earlier result to compare with. Results are kept for a day: run the query again later.
        </p>
      )}
      {selected !== null && <EarlierJobComparison key={selected} jobId={selected} result={result} loaded={loaded} />}
    </div>
  )
}

function EarlierJobComparison({ jobId, result, loaded }: { jobId: string; result: Statement; loaded: LoadedRows }) {
  const { params } = useWorksheets()
  const job = useKeptJob(params, jobId)
  const [selected, setSelected] = useState(0)
  if (job.isError) return <p className={styles.message}>That result could not be loaded.</p>
  if (!job.data) return <p className={styles.message}>Loading both results…</p>
  const withRows = job.data.statements.flatMap(({ columns }, index) => (columns ? [index] : []))
  const position = withRows.includes(selected) ? selected : (withRows[0] ?? -1)
  const earlier = job.data.statements[position]
  if (!earlier) return <p className={styles.message}>That query returned no rows.</p>
  return (
    <>
      {withRows.length > 1 && (
        <div className={styles.bar}>
          <Select
            label="Statement"
            options={withRows.map((index) => ({ value: String(index), label: `Result ${index + 1}` }))}
            value={String(position)}
            onChange={(event) => setSelected(Number(event.target.value))}
          />
        </div>
      )}
      <ComparedRows
        key={position}
        result={result}
        loaded={loaded}
        earlier={{ jobId, statement: position, result: earlier }}
      />
    </>
  )
}
