import { toTableName, writeInto } from '@trellis/contract/dataflows/start-settings'
import type { TransformationSettings } from '@trellis/contract/dataflows/task-blocks.schemas'
import { useEffect, useRef } from 'react'
import { Checkbox, RadioGroup } from '../../../../ui/forms/Choices.tsx'
import { useDraft } from '../draft/use-block-draft.ts'
import { CodeField } from '../panes/CodeField.tsx'
import { InputFields } from '../panes/InputFields.tsx'
import { useOwnSqlAssist } from '../panes/use-own-sql-assist.ts'
import styles from '../setup.module.css'
import { useOwnTables } from '../use-own-tables.ts'
import { SampledTableSetup } from '../write/SampledTableSetup.tsx'
import { WriteFields } from '../write/WriteFields.tsx'
import { Packages } from './Packages.tsx'
import { WorksheetSource } from './WorksheetSource.tsx'

const SQL_START = 'select *\nfrom my_table'
const JS_START = `/** Columns in, columns out: every column is a list with one value for each row. */
export default ({ price }) => ({
  gross: price.map((net) => net * 1.19),
})
`

export default function TransformationFields() {
  const { block, settings, set, change, amend, isDisabled } = useDraft<TransformationSettings>()
  const { database } = useOwnTables()
  const { integration_trellis_code: integration, language } = settings
  // Kept per language, to restore after switching back.
  const texts = useRef<Partial<Record<typeof language, string>>>({})
  const switchLanguage = (old: TransformationSettings, next: typeof language): TransformationSettings => {
    texts.current = { ...texts.current, [old.language]: old.code }
    const write = next === 'javascript' ? (old.write ?? writeInto(toTableName(block.name))) : old.write
    return { ...old, language: next, code: texts.current[next] ?? '', write }
  }
  useEffect(() => {
    if (integration === null && database !== null && !isDisabled) {
      amend((old) => ({ ...old, integration_trellis_code: database }))
    }
  }, [integration, database, isDisabled, amend])
  return (
    <>
      <section className={styles.group} aria-label="Language" data-path="language">
        <RadioGroup
          label="Written in"
          value={language}
          onChange={(value) => change((old) => switchLanguage(old, value as typeof language), null)}
          options={[
            { value: 'sql', label: 'SQL', hint: 'Runs inside the database.', isDisabled },
            {
              value: 'javascript',
              label: 'JavaScript',
              hint: 'Works on columns of rows, shut off from everything else.',
              isDisabled,
            },
          ]}
        />
      </section>
      {language === 'javascript' && (
        <InputFields
          input={settings.input}
          onChange={(input, fieldPath) => change((old) => ({ ...old, input }), fieldPath)}
        />
      )}
      <section className={styles.group} aria-label="Code">
        <h2>Code</h2>
        {language === 'sql' ? <SqlCode code={settings.code} /> : <ScriptCode settings={settings} />}
        {language === 'javascript' && (
          <Packages selected={settings.packages} onChange={(packages) => set('packages', packages)} />
        )}
      </section>
      <Output />
    </>
  )
}

function SqlCode({ code }: { code: string }) {
  const { block, set } = useDraft()
  const assist = useOwnSqlAssist()
  // The server drops the link when the SQL is edited.
  const isLinked = block.kind === 'Transformation' && block.settings.worksheet !== undefined
  return (
    <>
      {isLinked && <WorksheetSource />}
      <CodeField
        path="code"
        isReadOnly={isLinked}
        label="SQL"
        language="sql"
        placeholder={SQL_START}
        hint="One SELECT whose rows are written below, or statements that write by themselves."
        value={code}
        assist={assist}
        onChange={(text) => set('code', text)}
      />
    </>
  )
}

function ScriptCode({ settings }: { settings: TransformationSettings }) {
  const { set } = useDraft()
  const completions = settings.packages.map((label) => ({ label }))
  return (
    <CodeField
      path="code"
      label="JavaScript"
      language="javascript"
      placeholder={JS_START}
      hint="Export a function that receives columns and returns columns."
      value={settings.code}
      completions={completions}
      onChange={(text) => set('code', text)}
    />
  )
}

function Output() {
  const { block, settings, change, isDisabled } = useDraft<TransformationSettings>()
  const { write, language } = settings
  const start = writeInto(toTableName(block.name))
  return (
    <section className={styles.group} aria-label="Where rows go">
      <h2>Output</h2>
      {language === 'sql' && (
        <Checkbox
          label="Write the rows of the SELECT into a table"
          hint="Switch it off for SQL that inserts, updates or creates by itself."
          checked={write !== null}
          disabled={isDisabled}
          onChange={(event) => change((old) => ({ ...old, write: event.target.checked ? start : null }), 'write')}
        />
      )}
      {(write !== null || language === 'javascript') && (
        <WriteFields
          path="write"
          write={write ?? start}
          onChange={(next, fieldPath) => change((old) => ({ ...old, write: next }), `write.${fieldPath}`)}
          tableSetup={
            <SampledTableSetup
              path="write.dataModel"
              side="output"
              settled={write?.dataModel ?? null}
              onSave={(dataModel) => change((old) => ({ ...old, write: { ...(old.write ?? start), dataModel } }), null)}
            />
          }
        />
      )}
    </section>
  )
}
