import { FileCode2, Play } from 'lucide-react'
import { useNavigate } from 'react-router'
import { formatDuration } from '../../../ui/data/durations.ts'
import { Button } from '../../../ui/actions/Button.tsx'
import { wholeNumber } from '../../../ui/data/amounts.ts'
import { CodeBlock } from '../../../ui/data/CodeBlock.tsx'
import { DateTime } from '../../../ui/data/DateTime.tsx'
import { Banner } from '../../../ui/feedback/Banner.tsx'
import { SidePanel } from '../../../ui/overlays/SidePanel.tsx'
import { JOB_STATES } from '../query-words.ts'
import { type HistoryLine, useResultPreview, useRunAgain } from '../sql.queries.ts'
import styles from '../sql.module.css'
import { useSqlScope } from '../use-sql-scope.ts'
import { useOpenInWorksheet } from './use-open-in-worksheet.ts'

export function HistoryPanel({ entry, onClose }: { entry: HistoryLine; onClose: () => void }) {
  const { params, paths } = useSqlScope()
  const navigate = useNavigate()
  const runAgain = useRunAgain()
  const worksheet = useOpenInWorksheet()
  const { sql, integration_trellis_code, file_id } = entry
  return (
    <SidePanel title="Query" onClose={onClose}>
      <CodeBlock code={sql} isWrapped />
      <div className={styles.actions}>
        <Button
          variant="primary"
          icon={<FileCode2 aria-hidden />}
          isBusy={worksheet.isBusy}
          disabled={!worksheet.canOpen}
          onClick={() => worksheet.open({ sql, fileId: file_id })}
        >
          Open in worksheet
        </Button>
        {entry.is_mine && (
          <Button
            icon={<Play aria-hidden />}
            isBusy={runAgain.isPending}
            onClick={() =>
              runAgain.mutate(
                {
                  params,
                  body: {
                    integration_trellis_code,
                    sql,
                    ask_first: true,
                    keep_running: true,
                    ...(file_id !== null && { file_id }),
                  },
                },
                { onSuccess: () => void navigate(paths.running) },
              )
            }
          >
            Run again
          </Button>
        )}
      </div>
      <dl className={styles.facts}>
        <dt>Status</dt>
        <dd>{JOB_STATES[entry.status].text}</dd>
        <dt>Who</dt>
        <dd>{entry.is_mine ? 'You' : (entry.person ?? 'A former member')}</dd>
        <dt>When</dt>
        <dd>
          <DateTime value={entry.created_at} />
        </dd>
        <dt>Rows</dt>
        <dd>{wholeNumber(entry.rows)}</dd>
        {entry.duration_ms !== null && (
          <>
            <dt>Duration</dt>
            <dd>{formatDuration(entry.duration_ms)}</dd>
          </>
        )}
      </dl>
      {entry.problem !== null && <Banner tone="danger">{entry.problem}</Banner>}
      <ResultPreview entry={entry} />
    </SidePanel>
  )
}

function ResultPreview({ entry }: { entry: HistoryLine }) {
  const { params } = useSqlScope()
  const page = useResultPreview(params, entry)
  if (!entry.has_results) {
    return entry.is_mine ? <p className={styles.note}>The result has expired. Run the query again.</p> : null
  }
  if (!page.data || page.data.columns.length === 0) return null
  const { columns, rows, total_rows } = page.data
  return (
    <section aria-label="Result">
      <p className={styles.note}>
        {rows.length < total_rows
          ? `First ${wholeNumber(rows.length)} of ${wholeNumber(total_rows)} rows that were kept`
          : 'Result'}
      </p>
      <div className={styles.scroll} tabIndex={0} role="region" aria-label="Rows of the result">
        <table className={styles.rows}>
          <thead>
            <tr>
              {columns.map(({ name }, index) => (
                <th key={index} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row, index) => (
              <tr key={index}>
                {row.map((value, column) => (
                  <td key={column}>{value ?? 'NULL'}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  )
}
