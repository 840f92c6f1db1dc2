import { useState } from 'react'
import { Button } from '../../ui/actions/Button.tsx'
import { CodeEditor } from '../../ui/editor/CodeEditor.tsx'
import { findJsonProblem } from '../../ui/editor/json-problem.ts'
import { Banner } from '../../ui/feedback/Banner.tsx'
import { FieldError } from '../../ui/forms/Field.tsx'
import { useValidateGaql } from '../forma.queries.ts'
import styles from '../formas.module.css'
import { useSurroundings, type ElementProps } from '../surroundings.ts'

interface Verdict {
  query: string
  did_succeed: boolean
  message: string
}

export default function QueryEditorElement(props: ElementProps<'query_editor'>) {
  const { element, value, error, isOptional, isDisabled, onChange, onTouch } = props
  const { language, placeholder } = element.properties
  const query = typeof value === 'string' ? value : ''
  return (
    <div className={styles.query}>
      <span className={styles.label} aria-hidden>
        {element.label}
        {isOptional && <span className={styles.optional}>optional</span>}
      </span>
      <CodeEditor
        label={element.label}
        language={language}
        value={query}
        placeholder={placeholder}
        isReadOnly={isDisabled}
        onChange={(text) => onChange(text === '' ? undefined : text)}
        onBlur={onTouch}
      />
      {element.help && <p className={styles.help}>{element.help}</p>}
      <FieldError text={error} />
      {language === 'gaql' && <Validate query={query} isDisabled={isDisabled} />}
      {language === 'json' && query !== '' && <FieldError text={findJsonProblem(query)?.message} />}
    </div>
  )
}

function Validate({ query, isDisabled }: { query: string; isDisabled: boolean }) {
  const { address, integration } = useSurroundings()
  const validate = useValidateGaql()
  const [verdict, setVerdict] = useState<Verdict | null>(null)
  if (integration === null) return null
  const run = () =>
    validate.mutate(
      { params: { ...address, id: integration }, body: { query } },
      { onSuccess: (answer) => setVerdict({ ...answer, query }) },
    )
  return (
    <>
      <div className={styles.rowsFoot}>
        <Button size="sm" isBusy={validate.isPending} disabled={isDisabled || query.trim() === ''} onClick={run}>
          Validate
        </Button>
        {verdict && verdict.query !== query && <span className={styles.help}>Changed since it was validated.</span>}
      </div>
      {validate.isError && <Banner tone="danger">{validate.error.message}</Banner>}
      {verdict && !validate.isPending && (
        <Banner tone={verdict.did_succeed ? 'success' : 'danger'}>
          <span className={styles.lines}>{verdict.message}</span>
        </Banner>
      )}
    </>
  )
}
