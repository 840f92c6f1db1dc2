import type { SqlLimits } from '@trellis/contract/sql/sql.schemas'
import type { EditorSettings } from '@trellis/contract/worksheets/editor-settings'
import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../../../ui/actions/Button.tsx'
import { IconButton } from '../../../../ui/actions/IconButton.tsx'
import { Switch } from '../../../../ui/forms/Choices.tsx'
import { Select } from '../../../../ui/forms/Select.tsx'
import { TextField } from '../../../../ui/forms/TextField.tsx'
import { Dialog } from '../../../../ui/overlays/Dialog.tsx'
import { formatSeconds, listRowLimits, listTimeouts } from '../running/limit-options.ts'
import styles from './settings.module.css'

interface EditorSettingsDialogProps {
  settings: EditorSettings
  limits: SqlLimits | undefined
  onChange: (change: Partial<EditorSettings>) => void
  onClose: () => void
}

const FONT_SIZES = [10, 11, 12, 13, 14, 15, 16, 18, 20, 22, 24]
const toOption = (number: number) => ({ value: String(number), label: String(number) })

const SWITCHES = [
  { key: 'word_wrap', label: 'Wrap long lines' },
  { key: 'line_numbers', label: 'Line numbers' },
  { key: 'minimap', label: 'Minimap' },
  { key: 'autocomplete', label: 'Suggestions while typing', hint: 'Ctrl Space opens them when this is off.' },
  { key: 'format_on_save', label: 'Format on save', hint: 'Ctrl or ⌘ S formats before it saves.' },
  {
    key: 'confirm_destructive',
    label: 'Ask before destructive statements',
    hint: 'DROP, TRUNCATE, and UPDATE or DELETE without WHERE.',
  },
] as const

export function EditorSettingsDialog({ settings, limits, onChange, onClose }: EditorSettingsDialogProps) {
  return (
    <Dialog title="Editor settings" onClose={onClose}>
      <div className={styles.fields}>
        <Select
          label="Font size"
          value={String(settings.font_size)}
          options={FONT_SIZES.map(toOption)}
          onChange={(event) => onChange({ font_size: Number(event.target.value) })}
        />
        <Select
          label="Tab size"
          value={String(settings.tab_size)}
          options={[2, 3, 4, 8].map(toOption)}
          onChange={(event) => onChange({ tab_size: Number(event.target.value) })}
        />
        <Select
          label="Keywords when formatting"
          value={settings.keyword_case}
          options={[
            { value: 'preserve', label: 'As typed' },
            { value: 'lower', label: 'lower case' },
            { value: 'upper', label: 'UPPER CASE' },
          ]}
          onChange={(event) => onChange({ keyword_case: event.target.value as EditorSettings['keyword_case'] })}
        />
        {limits && (
          <>
            <Select
              label="Row limit"
              value={String(Math.min(settings.row_limit, limits.max_row_limit))}
              options={listRowLimits(settings.row_limit, limits).map((rowLimit) => ({
                value: String(rowLimit),
                label: `${rowLimit.toLocaleString('en')} rows`,
              }))}
              onChange={(event) => onChange({ row_limit: Number(event.target.value) })}
            />
            <Select
              label="Timeout"
              value={String(Math.min(settings.timeout_seconds, limits.max_timeout_seconds))}
              options={listTimeouts(settings.timeout_seconds, limits).map((timeout) => ({
                value: String(timeout),
                label: formatSeconds(timeout),
              }))}
              onChange={(event) => onChange({ timeout_seconds: Number(event.target.value) })}
            />
          </>
        )}
      </div>
      <div className={styles.switches}>
        {SWITCHES.map(({ key, ...text }) => (
          <Switch
            key={key}
            {...text}
            checked={settings[key]}
            onChange={(event) => onChange({ [key]: event.target.checked })}
          />
        ))}
      </div>
      <Snippets snippets={settings.snippets} onChange={(snippets) => onChange({ snippets })} />
    </Dialog>
  )
}

type Snippet = EditorSettings['snippets'][number]

function Snippets({ snippets, onChange }: { snippets: readonly Snippet[]; onChange: (snippets: Snippet[]) => void }) {
  const [name, setName] = useState('')
  const [body, setBody] = useState('')
  const canAdd = /^\w+$/.test(name) && body.trim() !== ''
  const add = () => {
    onChange([...snippets.filter((snippet) => snippet.name !== name), { name, body }])
    setName('')
    setBody('')
  }
  return (
    <section aria-label="Snippets" className={styles.snippets}>
      <h3>Snippets</h3>
      <p>Type the name in the editor to insert the text. {'${1:name}'} is a place to fill in.</p>
      <ul>
        {snippets.map((snippet) => (
          <li key={snippet.name}>
            <code>{snippet.name}</code>
            <span>{snippet.body}</span>
            <IconButton
              label={`Delete snippet ${snippet.name}`}
              icon={<Trash2 aria-hidden />}
              onClick={() => onChange(snippets.filter(({ name: other }) => other !== snippet.name))}
            />
          </li>
        ))}
      </ul>
      <div className={styles.newSnippet}>
        <TextField label="Name" isMono maxLength={40} value={name} onChange={(event) => setName(event.target.value)} />
        <TextField
          label="Text"
          isMono
          maxLength={2000}
          value={body}
          onChange={(event) => setBody(event.target.value)}
        />
        <Button disabled={!canAdd} onClick={add}>
          Add snippet
        </Button>
      </div>
    </section>
  )
}
