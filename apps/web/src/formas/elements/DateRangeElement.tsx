import {
  HistoricDateRange,
  countDaysIn,
  findDateRangeProblems,
  type TIMEFRAMES,
} from '@trellis/contract/formas/historic-date-range'
import { useState } from 'react'
import * as z from 'zod/mini'
import { formatCount } from '../../ui/data/amounts.ts'
import { DateField } from '../../ui/dates/DateField.tsx'
import { RadioGroup } from '../../ui/forms/Choices.tsx'
import { FieldError } from '../../ui/forms/Field.tsx'
import { shownError } from '../../ui/forms/form-rules.ts'
import styles from '../formas.module.css'
import type { ElementProps } from '../surroundings.ts'
import { toLocalDay } from '../../ui/dates/local-day.ts'

const EMPTY: HistoricDateRange = { dataTimeframe: 'startingDate', startDate: null, endDate: null }

export default function DateRangeElement({
  element,
  value,
  error,
  isDisabled,
  ...on
}: ElementProps<'historic_date_range'>) {
  const [touched, setTouched] = useState<ReadonlySet<string>>(new Set())
  const parsed = z.safeParse(HistoricDateRange, value)
  const range = parsed.success ? parsed.data : EMPTY
  const today = toLocalDay(new Date())
  const problems = findDateRangeProblems(range, today)
  const isRange = range.dataTimeframe === 'rangeDates'
  const days = isRange ? countDaysIn(range) : null
  const own = value === undefined ? error : (problems.startDate ?? problems.endDate)
  const touch = (end: 'startDate' | 'endDate') => {
    setTouched(new Set(touched).add(end))
    on.onTouch()
  }
  const put = (next: HistoricDateRange) =>
    on.onChange(next.dataTimeframe === 'startingDate' && next.startDate === null ? undefined : next)
  const dateField = (end: 'startDate' | 'endDate', label: string) => ({
    label,
    max: today,
    value: range[end] ?? '',
    // An error only when required.
    error:
      value === undefined ? (end === 'startDate' ? error : undefined) : shownError(touched.has(end), problems[end]),
    onBlur: () => touch(end),
    onChange: (day: string) => put({ ...range, [end]: day || null }),
  })
  return (
    <div className={styles.range}>
      <RadioGroup
        label={element.label}
        value={range.dataTimeframe}
        options={[
          { value: 'startingDate', label: 'Starting date', hint: 'From a day until today.', isDisabled },
          { value: 'rangeDates', label: 'Range of dates', hint: 'Between two days, both counted.', isDisabled },
        ]}
        onChange={(mode) =>
          put({
            ...range,
            dataTimeframe: mode as (typeof TIMEFRAMES)[number],
            endDate: mode === 'startingDate' ? null : range.endDate,
          })
        }
      />
      <div className={styles.dates}>
        <DateField {...dateField('startDate', 'Start date')} disabled={isDisabled} />
        <DateField {...dateField('endDate', 'End date')} disabled={isDisabled || !isRange} />
      </div>
      {days !== null && <p className={styles.help}>{formatCount(days, 'day')}</p>}
      {element.help && <p className={styles.help}>{element.help}</p>}
      {error !== own && <FieldError text={error} />}
    </div>
  )
}
