import type { Dialect, FilePreview, UploadFile } from '@trellis/contract/uploads/uploads.schemas'
import { useState } from 'react'
import { Button } from '../../../ui/actions/Button.tsx'
import { Banner } from '../../../ui/feedback/Banner.tsx'
import { Select } from '../../../ui/forms/Select.tsx'
import { TextField } from '../../../ui/forms/TextField.tsx'
import { Card } from '../../../ui/layout/Card.tsx'
import type { UploadScope } from '../upload-scope.ts'
import { usePreProcess, usePreview } from '../uploads.queries.ts'
import { delimiterOptions, ENCODING_OPTIONS, ESCAPE_OPTIONS, FORMAT_LABELS, quoteOptions } from './dialect-choices.ts'
import styles from './model.module.css'
import { ReadingPreview } from './ReadingPreview.tsx'
import { addReadingChoice } from './reading-choices.ts'

const AUTO = { value: 'auto', label: 'Detect' }
const FORMATS = Object.entries(FORMAT_LABELS).map(([value, label]) => ({ value, label }))
const HEADERS = [
  { value: 'yes', label: 'The first row holds the names' },
  { value: 'no', label: 'No header' },
]

type Choice = Partial<Dialect>
interface ChoicesProps {
  choice: Choice
  preview: FilePreview | undefined
  onChange: (choice: Choice) => void
}

export function ReadAgain({ scope, file }: { scope: UploadScope; file: UploadFile }) {
  const read = usePreProcess(scope)
  const [choice, setChoice] = useState<Choice>({})
  const preview = usePreview(scope, file.file_id, choice)
  const start = () => {
    const dialect = addReadingChoice(file.file_id, choice)
    read.mutate({ params: scope.address, body: { file_id: file.file_id, dialect } })
  }
  return (
    <>
      <Card title="How it is read" subtitle="Choose what you know. The rest is detected from the file.">
        <fieldset className={styles.dialect} disabled={read.isPending} aria-label="How the file is read">
          <Choices choice={choice} preview={preview.data} onChange={setChoice} />
        </fieldset>
        {read.isError && <Banner tone="danger">{read.error.message}</Banner>}
        <div className={styles.again}>
          <Button variant="primary" isBusy={read.isPending} onClick={start}>
            Read it again
          </Button>
        </div>
      </Card>
      <ReadingPreview
        preview={preview.data}
        error={preview.error}
        isUpdating={preview.isFetching}
        onRetry={() => void preview.refetch()}
      />
    </>
  )
}

function Choices({ choice, preview, onChange }: ChoicesProps) {
  const choose = (patch: Choice) => onChange(withoutUndefined({ ...choice, ...patch }))
  const format = choice.format ?? preview?.dialect?.format ?? ((preview?.sheets.length ?? 0) > 0 ? 'xlsx' : 'csv')
  return (
    <>
      <Auto
        label="Format"
        value={choice.format}
        options={FORMATS}
        onChange={(format) => choose({ format } as Choice)}
      />
      {format === 'xlsx' && (
        <Auto
          label="Sheet"
          value={choice.sheet ?? undefined}
          options={(preview?.sheets ?? []).map((sheet) => ({ value: sheet, label: sheet }))}
          onChange={(sheet) => choose({ sheet } as Choice)}
        />
      )}
      {(format === 'csv' || format === 'jsonl') && (
        <Auto
          label="Encoding"
          value={choice.encoding}
          options={ENCODING_OPTIONS}
          onChange={(encoding) => choose({ encoding } as Choice)}
        />
      )}
      {format === 'csv' && <TextChoices choice={choice} choose={choose} />}
      {(format === 'csv' || format === 'xlsx') && <StartChoices choice={choice} choose={choose} />}
    </>
  )
}

function StartChoices({ choice, choose }: { choice: Choice; choose: (patch: Choice) => void }) {
  const { has_header, skip_lines } = choice
  return (
    <>
      <TextField
        label="Lines to skip at the top"
        type="number"
        min={0}
        max={1000}
        value={skip_lines ?? ''}
        onChange={(event) => choose({ skip_lines: toLines(event.target.value) } as Choice)}
      />
      <Auto
        label="Header"
        value={has_header === undefined ? undefined : has_header ? 'yes' : 'no'}
        options={HEADERS}
        onChange={(value) => choose({ has_header: value === undefined ? undefined : value === 'yes' } as Choice)}
      />
    </>
  )
}

function TextChoices({ choice, choose }: { choice: Choice; choose: (patch: Choice) => void }) {
  const [other, setOther] = useState('')
  return (
    <>
      <Auto
        label="Delimiter"
        value={choice.delimiter}
        options={delimiterOptions(choice.delimiter ?? ',')}
        onChange={(delimiter) => {
          setOther('')
          choose({ delimiter } as Choice)
        }}
      />
      <TextField
        label="Other delimiter"
        maxLength={1}
        value={other}
        onChange={(event) => {
          setOther(event.target.value)
          choose({ delimiter: event.target.value === '' ? undefined : event.target.value } as Choice)
        }}
      />
      <Auto
        label="Quote"
        value={choice.quote}
        options={quoteOptions(choice.quote ?? '"')}
        onChange={(quote) => choose({ quote } as Choice)}
      />
      <Auto
        label="Quotes inside quotes"
        value={choice.escape}
        options={ESCAPE_OPTIONS}
        onChange={(escape) => choose({ escape } as Choice)}
      />
    </>
  )
}

interface AutoProps {
  label: string
  value: string | undefined
  options: readonly { value: string; label: string }[]
  onChange: (value: string | undefined) => void
}

function Auto({ label, value, options, onChange }: AutoProps) {
  return (
    <Select
      label={label}
      value={value ?? AUTO.value}
      options={[AUTO, ...options]}
      onChange={(event) => onChange(event.target.value === AUTO.value ? undefined : event.target.value)}
    />
  )
}

const toLines = (text: string) => (text === '' ? undefined : Math.min(1000, Math.max(0, Math.trunc(Number(text)) || 0)))

const withoutUndefined = (choice: Choice): Choice =>
  Object.fromEntries(Object.entries(choice).filter(([, value]) => value !== undefined)) as Choice
