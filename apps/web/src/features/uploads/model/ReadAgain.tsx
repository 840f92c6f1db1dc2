import type { Dialect, UploadFile } from '@trellis/contract/uploads/uploads.schemas'
import { useState } from 'react'
import { Button } from '../../../ui/actions/Button.tsx'
import { Banner } from '../../../ui/feedback/Banner.tsx'
import { Select } from '../../../ui/forms/Select.tsx'
import { TextField } from '../../../ui/forms/TextField.tsx'
import { Card } from '../../../ui/layout/Card.tsx'
import type { UploadPlace } from '../upload-place.ts'
import { useKeepJob, usePreProcess } from '../uploads.queries.ts'
import { delimiterOptions, ENCODING_OPTIONS, FORMAT_LABELS, quoteOptions } from './dialect-choices.ts'
import styles from './model.module.css'
import { addReadingChoice } from './reading-choices.ts'

const AUTO = { value: 'auto', label: 'Detect' }
const FORMATS = Object.entries(FORMAT_LABELS).map(([value, label]) => ({ value, label }))
const HEADERS = [
  { value: 'yes', label: 'The first row holds the names' },
  { value: 'no', label: 'No header' },
]

/** How a file is read, for one that could not be: whoever knows it better can say so and read it again. */
export function ReadAgain({ place, file }: { place: UploadPlace; file: UploadFile }) {
  const read = usePreProcess()
  const keepJob = useKeepJob(place)
  const [choice, setChoice] = useState<Partial<Dialect>>({})
  const [skip, setSkip] = useState('')
  const choose = (name: keyof Dialect, value: Dialect[keyof Dialect]) =>
    setChoice((before) => {
      const { [name]: _, ...others } = before
      return value === undefined ? others : { ...others, [name]: value }
    })
  const start = () => {
    const lines = skip === '' ? {} : { skip_lines: Math.min(1000, Math.max(0, Math.trunc(Number(skip)) || 0)) }
    const dialect = addReadingChoice(file.file_id, { ...choice, ...lines })
    read.mutate({ params: place.address, body: { file_id: file.file_id, dialect } }, { onSuccess: keepJob })
  }
  const pick = (
    name: 'format' | 'encoding' | 'delimiter',
    label: string,
    options: { value: string; label: string }[],
  ) => (
    <Select
      label={label}
      value={choice[name] ?? AUTO.value}
      options={[AUTO, ...options]}
      onChange={(event) =>
        choose(name, event.target.value === AUTO.value ? undefined : (event.target.value as Dialect[typeof name]))
      }
    />
  )
  const header = choice.has_header === undefined ? AUTO.value : choice.has_header ? 'yes' : 'no'
  const isWorkbook = /\.xlsx$/i.test(file.original_filename)
  return (
    <Card title="How it is read" subtitle="Say what you know better; the rest is found out from the file.">
      <fieldset className={styles.dialect} disabled={read.isPending} aria-label="How the file is read">
        {pick('format', 'Format', FORMATS)}
        {isWorkbook ? (
          <TextField
            label="Sheet"
            value={choice.sheet ?? ''}
            onChange={(event) => choose('sheet', event.target.value === '' ? undefined : event.target.value)}
          />
        ) : (
          <>
            {pick('encoding', 'Encoding', ENCODING_OPTIONS)}
            {pick('delimiter', 'Delimiter', delimiterOptions(','))}
            <Select
              label="Quote"
              value={choice.quote ?? AUTO.value}
              options={[AUTO, ...quoteOptions('"')]}
              onChange={(event) => choose('quote', event.target.value === AUTO.value ? undefined : event.target.value)}
            />
          </>
        )}
        <TextField
          label="Lines to skip at the top"
          type="number"
          min={0}
          max={1000}
          value={skip}
          onChange={(event) => setSkip(event.target.value)}
        />
        <Select
          label="Header"
          value={header}
          options={[AUTO, ...HEADERS]}
          onChange={(event) =>
            choose('has_header', event.target.value === AUTO.value ? undefined : event.target.value === 'yes')
          }
        />
      </fieldset>
      {read.isError && <Banner tone="danger">{read.error.message}</Banner>}
      <Button variant="primary" isBusy={read.isPending} onClick={start}>
        Read it again
      </Button>
    </Card>
  )
}
