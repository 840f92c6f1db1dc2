import type { RestManifest } from '@trellis/contract/integrations/rest-manifest'
import { useMemo, useState } from 'react'
import { CodeEditor } from '../../ui/editor/CodeEditor.tsx'
import { findJsonProblem } from '../../ui/editor/json-problem.ts'
import { FieldError } from '../../ui/forms/Field.tsx'
import { isSame } from '../../ui/forms/form-values.ts'
import styles from './builder.module.css'
import { findSchemaFaults } from './manifest-draft.ts'
import type { Draft } from './use-draft.ts'

/** Valid JSON is applied at once; the rest stays in the field. */
export function JsonView({ draft }: { draft: Draft }) {
  const written = useMemo(() => JSON.stringify(draft.manifest, null, 2), [draft.manifest])
  const [inputText, setTyped] = useState(written)
  const text = isWaiting(inputText) || isSame(JSON.parse(inputText), draft.manifest) ? inputText : written
  const syntax = findJsonProblem(text)
  const faults = syntax ? [] : findSchemaFaults(JSON.parse(text))
  const marks = useMemo(() => (syntax ? [syntax] : []), [syntax])
  const change = (next: string) => {
    setTyped(next)
    if (findJsonProblem(next)) return
    const parsed = JSON.parse(next) as RestManifest
    if (findSchemaFaults(parsed).length === 0 && !isSame(parsed, draft.manifest)) draft.replace(parsed)
  }
  return (
    <div className={styles.json}>
      <CodeEditor label="Source as JSON" language="json" height="60vh" value={text} marks={marks} onChange={change} />
      <FieldError text={syntax?.message} />
      {faults.length > 0 && (
        <ul className={styles.elsewhere} aria-label="To fix in the JSON">
          {faults.map((fault) => (
            <li key={fault.path}>
              <code>{fault.path || 'source'}</code> {fault.message}
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

/** Incomplete input, not an error yet. */
function isWaiting(text: string): boolean {
  return findJsonProblem(text) !== null || findSchemaFaults(JSON.parse(text)).length > 0
}
