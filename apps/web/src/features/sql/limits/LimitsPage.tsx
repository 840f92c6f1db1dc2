import { type SqlLimits, SqlLimitsPatch } from '@trellis/contract/sql/sql.schemas'
import { useState } from 'react'
import * as z from 'zod/mini'
import { formatDuration } from '../../../ui/data/durations.ts'
import { Loaded } from '../../../app/loading/Loaded.tsx'
import { getErrorDetail } from '../../../api/api-error.ts'
import { Button } from '../../../ui/actions/Button.tsx'
import { wholeNumber } from '../../../ui/data/amounts.ts'
import { Banner } from '../../../ui/feedback/Banner.tsx'
import { TextField } from '../../../ui/forms/TextField.tsx'

import { useSqlLimits, useUpdateSqlLimits } from '../sql.queries.ts'
import styles from '../sql.module.css'
import { useSqlScope } from '../use-sql-scope.ts'

export function Component() {
  const { params, can } = useSqlScope()
  const limits = useSqlLimits(params)
  return (
    <Loaded query={limits} subject="The limits">
      {(limits) => (
        <>
          {can('sql:manage') ? (
            <LimitsForm key={JSON.stringify(limits)} limits={limits} />
          ) : (
            <p className={styles.note}>An admin of the workspace can change these limits.</p>
          )}
          <dl className={styles.facts}>
            {!can('sql:manage') && (
              <>
                <dt>Maximum row limit</dt>
                <dd>{wholeNumber(limits.max_row_limit)} rows</dd>
                <dt>Maximum timeout</dt>
                <dd>{formatDuration(limits.max_timeout_seconds * 1000)}</dd>
              </>
            )}
            <dt>Default row limit</dt>
            <dd>{wholeNumber(limits.default_row_limit)} rows</dd>
            <dt>Default timeout</dt>
            <dd>{formatDuration(limits.default_timeout_seconds * 1000)}</dd>
            <dt>Concurrent queries</dt>
            <dd>{limits.max_running_per_person} per person</dd>
            <dt>Result retention</dt>
            <dd>{limits.result_hours} hours</dd>
          </dl>
        </>
      )}
    </Loaded>
  )
}

type Problems = Partial<Record<keyof z.infer<typeof SqlLimitsPatch>, string>>
const WHOLE = /^\d+$/

function LimitsForm({ limits }: { limits: SqlLimits }) {
  const { params } = useSqlScope()
  const update = useUpdateSqlLimits()
  const [rows, setRows] = useState(String(limits.max_row_limit))
  const [seconds, setSeconds] = useState(String(limits.max_timeout_seconds))
  const [problems, setProblems] = useState<Problems>({})
  const isUnchanged = Number(rows) === limits.max_row_limit && Number(seconds) === limits.max_timeout_seconds
  const submit = () => {
    const foundProblems: Problems = {
      ...(!isAllowed('max_row_limit', rows) && { max_row_limit: 'Enter a whole number from 1 to 10,000,000.' }),
      ...(!isAllowed('max_timeout_seconds', seconds) && {
        max_timeout_seconds: 'Enter a whole number from 1 to 3,600.',
      }),
    }
    setProblems(foundProblems)
    if (Object.keys(foundProblems).length > 0) return
    update.mutate({ params, body: { max_row_limit: Number(rows), max_timeout_seconds: Number(seconds) } })
  }
  return (
    <form
      className={styles.form}
      aria-label="Limits"
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      <TextField
        label="Maximum row limit"
        hint="The most rows a query result may have. Exports are not limited."
        inputMode="numeric"
        value={rows}
        error={problems.max_row_limit}
        onChange={(event) => setRows(event.target.value)}
      />
      <TextField
        label="Maximum timeout in seconds"
        hint="A statement that runs longer is stopped and rolled back."
        inputMode="numeric"
        value={seconds}
        error={problems.max_timeout_seconds}
        onChange={(event) => setSeconds(event.target.value)}
      />
      {update.isError && <Banner tone="danger">{getErrorDetail(update.error)}</Banner>}
      <div>
        <Button type="submit" variant="primary" isBusy={update.isPending} disabled={isUnchanged}>
          Save limits
        </Button>
      </div>
    </form>
  )
}

const isAllowed = (name: keyof Problems, text: string): boolean =>
  WHOLE.test(text) && z.safeParse(SqlLimitsPatch, { [name]: Number(text) }).success
