import type { RestTrialResult } from '@trellis/contract/integrations/integrations.schemas'
import { useMemo, useState } from 'react'
import { Button } from '../../ui/actions/Button.tsx'
import { formatCount } from '../../ui/data/amounts.ts'
import { CodeBlock } from '../../ui/data/CodeBlock.tsx'
import { Banner } from '../../ui/feedback/Banner.tsx'
import { StatusDot } from '../../ui/feedback/Status.tsx'
import { Tabs } from '../../ui/layout/Tabs.tsx'
import SampleRows from '../SampleRows.tsx'
import { ProblemBanner } from '../ValidationPanel.tsx'
import { AnswerTree } from './AnswerTree.tsx'
import styles from './builder.module.css'

type Page = RestTrialResult['pages'][number]

interface ResultProps {
  result: RestTrialResult
  records: string
  canGoOn: boolean
  onNext: () => void
  onPick: (path: string) => void
}

export function TrialResult({ result, records, canGoOn, onNext, onPick }: ResultProps) {
  const [selected, setSelected] = useState(0)
  const [tab, setTab] = useState('answer')
  const page = result.pages[Math.min(selected, result.pages.length - 1)]
  const found = result.pages.reduce((sum, one) => sum + one.records.length, 0)
  const next = result.pages.at(-1)?.next
  return (
    <div className={styles.result}>
      {result.faults.length > 0 && (
        <Banner tone="danger" title="The source can’t run like this">
          {formatCount(result.faults.length, 'problem')} to fix, marked in the form.
        </Banner>
      )}
      {result.problem && <ProblemBanner problem={result.problem} />}
      {page && (
        <>
          <p className={styles.summary} role="status">
            <strong>{formatCount(found, 'record')}</strong> on {formatCount(result.pages.length, 'page')}.{' '}
            {next ? 'There is a next page.' : !result.problem && 'This was the last page.'}
            {next && canGoOn && (
              <Button size="sm" onClick={onNext}>
                Read the next page
              </Button>
            )}
          </p>
          {result.pages.length > 1 && (
            <div className={styles.outline} role="group" aria-label="Pages read">
              {result.pages.map((_, index) => (
                <button key={index} type="button" aria-pressed={index === selected} onClick={() => setSelected(index)}>
                  Page {index + 1}
                </button>
              ))}
            </div>
          )}
          <Tabs
            label="What the test brought"
            value={tab}
            onChange={setTab}
            tabs={[
              { value: 'answer', label: 'Answer', content: <Answer page={page} records={records} onPick={onPick} /> },
              { value: 'request', label: 'Request', content: <Request page={page} /> },
              { value: 'records', label: 'Records', content: <Records result={result} /> },
            ]}
          />
        </>
      )}
    </div>
  )
}

function Answer({ page, records, onPick }: { page: Page; records: string; onPick: (path: string) => void }) {
  const { response } = page
  const body = useMemo(() => readJson(response?.body), [response])
  if (!response) return <p className={styles.hint}>No answer came.</p>
  return (
    <div className={styles.answer}>
      <span className={styles.summary}>
        <StatusDot tone={response.status < 400 ? 'success' : 'danger'}>{response.status}</StatusDot>
        <span>{response.took_ms} ms</span>
        {response.is_cut && <span>cut: it was long</span>}
      </span>
      {body === undefined ? (
        <CodeBlock isWrapped title="Answer" code={response.body} />
      ) : (
        <AnswerTree body={body} records={records} onPick={onPick} />
      )}
      <details>
        <summary>Headers of the answer</summary>
        <CodeBlock isWrapped code={formatHeaders(response.headers)} />
      </details>
    </div>
  )
}

function Request({ page }: { page: Page }) {
  const { method, url, headers, body } = page.request
  const parts = [`${method} ${url}`, formatHeaders(headers), body ?? ''].filter(Boolean)
  return <CodeBlock isWrapped title="Sent" code={parts.join('\n\n')} />
}

function Records({ result }: { result: RestTrialResult }) {
  if (result.preview && result.preview.rows.length > 0) {
    return <SampleRows label="Records" preview={result.preview} />
  }
  return <p className={styles.hint}>No records were found. Pick the list in the answer in which they stand.</p>
}

const formatHeaders = (headers: Record<string, string>): string =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n')

function readJson(text: string | undefined): unknown {
  try {
    return text === undefined ? undefined : (JSON.parse(text) as unknown)
  } catch {
    return undefined
  }
}
