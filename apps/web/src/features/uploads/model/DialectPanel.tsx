import type { Dialect, FileModel } from '@trellis/contract/uploads/uploads.schemas'
import { Settings2 } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../../ui/actions/Button.tsx'
import { Banner } from '../../../ui/feedback/Banner.tsx'
import { Checkbox } from '../../../ui/forms/Choices.tsx'
import { Select } from '../../../ui/forms/Select.tsx'
import { TextField } from '../../../ui/forms/TextField.tsx'
import { Card } from '../../../ui/layout/Card.tsx'
import { formatBytes } from '../../../ui/data/amounts.ts'
import type { UploadScope } from '../upload-scope.ts'
import { usePreProcess } from '../uploads.queries.ts'
import {
  DATE_OPTIONS,
  delimiterOptions,
  ENCODING_OPTIONS,
  FORMAT_LABELS,
  parseNullTokens,
  formatNullTokens,
  ESCAPE_OPTIONS,
  quoteOptions,
} from './dialect-choices.ts'
import styles from './model.module.css'
import { addReadingChoice } from './reading-choices.ts'

function formatDialectFacts(dialect: Dialect, size: number): string {
  return [
    FORMAT_LABELS[dialect.format],
    formatBytes(size),
    dialect.format === 'csv' &&
      ENCODING_OPTIONS.find((encodingOption) => encodingOption.value === dialect.encoding)?.label,
    dialect.format === 'csv' &&
      delimiterOptions(dialect.delimiter).find((candidate) => candidate.value === dialect.delimiter)?.label,
    dialect.sheet !== null && `Sheet ${dialect.sheet}`,
    dialect.format !== 'jsonl' &&
      dialect.format !== 'parquet' &&
      (dialect.has_header ? 'with a header' : 'without a header'),
  ]
    .filter(Boolean)
    .join(' · ')
}

export function DialectPanel({ scope, fileModel }: { scope: UploadScope; fileModel: FileModel }) {
  const { file } = fileModel
  const { dialect } = file
  const [isOpen, setOpen] = useState(false)
  const read = usePreProcess(scope)
  if (!dialect) return null
  const change = (patch: Partial<Dialect>) => {
    const choice = addReadingChoice(file.file_id, { format: dialect.format, ...patch })
    const body = { file_id: file.file_id, dialect: choice }
    read.mutate({ params: scope.address, body })
  }
  return (
    <Card
      title={file.original_filename}
      subtitle={formatDialectFacts(dialect, file.size_bytes)}
      actions={
        dialect.format !== 'parquet' && (
          <Button icon={<Settings2 aria-hidden />} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            How it is read
          </Button>
        )
      }
    >
      {isOpen || read.isError || fileModel.second_readings.length > 0 ? (
        <>
          {isOpen && (
            <fieldset className={styles.dialect} disabled={read.isPending} aria-label="How the file is read">
              {dialect.format === 'xlsx' && (
                <Select
                  label="Sheet"
                  value={dialect.sheet ?? ''}
                  options={fileModel.sheets.map((sheet) => ({ value: sheet, label: sheet }))}
                  onChange={(event) => change({ sheet: event.target.value })}
                />
              )}
              {dialect.format === 'csv' && <TextDialect dialect={dialect} onChange={change} />}
              <Select
                label="Order of dates"
                value={dialect.date_order}
                options={DATE_OPTIONS}
                onChange={(event) => change({ date_order: event.target.value as Dialect['date_order'] })}
              />
              <Tokens
                tokens={dialect.null_tokens}
                onChange={(null_tokens) =>
                  change({ null_tokens, null_words_in_text: dialect.null_words_in_text ?? false })
                }
              />
              <div className={styles.checks}>
                {dialect.format !== 'jsonl' && (
                  <Checkbox
                    label="The first row holds the names"
                    checked={dialect.has_header}
                    onChange={(event) => change({ has_header: event.target.checked })}
                  />
                )}
                <Checkbox
                  label="Words for no value count in text columns too"
                  checked={dialect.null_words_in_text ?? false}
                  onChange={(event) =>
                    change({ null_tokens: dialect.null_tokens, null_words_in_text: event.target.checked })
                  }
                />
                {dialect.format === 'csv' && (
                  <Checkbox
                    label="Fill short rows with NULL"
                    checked={dialect.fill_short_rows ?? false}
                    onChange={(event) => change({ fill_short_rows: event.target.checked })}
                  />
                )}
                <Checkbox
                  label="Decimal comma (1.234,56)"
                  checked={dialect.decimal_comma}
                  onChange={(event) => change({ decimal_comma: event.target.checked })}
                />
              </div>
            </fieldset>
          )}
          {isOpen && fileModel.reasons.length > 0 && (
            <ul className={styles.warnings} aria-label="Why it is read so">
              {fileModel.reasons.map((reason) => (
                <li key={reason}>{reason}</li>
              ))}
            </ul>
          )}
          {fileModel.second_readings.length > 0 && (
            <div className={styles.tools} role="group" aria-label="Other ways to read the file">
              <span>Other ways to read it:</span>
              {fileModel.second_readings.map(({ label, dialect: other }) => (
                <Button key={label} disabled={read.isPending} onClick={() => change(other as Partial<Dialect>)}>
                  {label}
                </Button>
              ))}
            </div>
          )}
          {read.isError && <Banner tone="danger">{read.error.message}</Banner>}
        </>
      ) : undefined}
    </Card>
  )
}

function TextDialect({ dialect, onChange }: { dialect: Dialect; onChange: (patch: Partial<Dialect>) => void }) {
  return (
    <>
      <Select
        label="Encoding"
        value={dialect.encoding}
        options={ENCODING_OPTIONS}
        onChange={(event) => onChange({ encoding: event.target.value as Dialect['encoding'] })}
      />
      <Select
        label="Delimiter"
        value={dialect.delimiter}
        options={delimiterOptions(dialect.delimiter)}
        onChange={(event) => onChange({ delimiter: event.target.value })}
      />
      <OtherDelimiter delimiter={dialect.delimiter} onChange={(delimiter) => onChange({ delimiter })} />
      <Select
        label="Quote"
        value={dialect.quote}
        options={quoteOptions(dialect.quote)}
        onChange={(event) => onChange({ quote: event.target.value })}
      />
      {dialect.quote !== '' && (
        <Select
          label="Quotes inside quotes"
          value={dialect.escape ?? ''}
          options={ESCAPE_OPTIONS}
          onChange={(event) => onChange({ escape: event.target.value === '' ? '' : '\\' })}
        />
      )}
      <Lines count={dialect.skip_lines} onChange={(skip_lines) => onChange({ skip_lines })} />
    </>
  )
}

function OtherDelimiter({ delimiter, onChange }: { delimiter: string; onChange: (sign: string) => void }) {
  const [text, setText] = useState('')
  const done = () => {
    if (text.length === 1 && text !== delimiter) onChange(text)
  }
  return (
    <TextField
      label="Other delimiter"
      maxLength={1}
      value={text}
      onChange={(event) => setText(event.target.value)}
      onBlur={done}
      onKeyDown={(event) => event.key === 'Enter' && done()}
    />
  )
}

/** Sent on blur, so that a half-typed number does not read the file again. */
function Lines({ count, onChange }: { count: number; onChange: (count: number) => void }) {
  const [text, setText] = useState(String(count))
  const done = () => {
    const next = Math.min(1000, Math.max(0, Math.trunc(Number(text)) || 0))
    if (next !== count) onChange(next)
  }
  return (
    <TextField
      label="Lines to skip at the top"
      type="number"
      min={0}
      max={1000}
      value={text}
      onChange={(event) => setText(event.target.value)}
      onBlur={done}
      onKeyDown={(event) => event.key === 'Enter' && done()}
    />
  )
}

function Tokens({ tokens, onChange }: { tokens: readonly string[]; onChange: (tokens: string[]) => void }) {
  const [text, setText] = useState(formatNullTokens(tokens))
  const done = () => {
    if (text !== formatNullTokens(tokens)) onChange(parseNullTokens(text))
  }
  return (
    <TextField
      label="Words for no value"
      hint="Parted by commas. An empty field always counts."
      value={text}
      onChange={(event) => setText(event.target.value)}
      onBlur={done}
      onKeyDown={(event) => event.key === 'Enter' && done()}
    />
  )
}
