import { MAX_SPARK_SOURCES, type SparkContent, type SparkSource } from '@trellis/contract/sparks/spark-content.schemas'
import { checkSparkSource } from '@trellis/contract/sparks/sparks.endpoints'
import { Play, Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useApiMutation } from '../../../api/api-query.ts'
import { Button } from '../../../ui/actions/Button.tsx'
import { IconButton } from '../../../ui/actions/IconButton.tsx'
import { CodeEditor } from '../../../ui/editor/CodeEditor.tsx'
import { Banner } from '../../../ui/feedback/Banner.tsx'
import { Select } from '../../../ui/forms/Select.tsx'
import { TextField } from '../../../ui/forms/TextField.tsx'
import { useWhenLoaded } from '../../../ui/forms/use-when-loaded.ts'
import { useDatabases } from '../../explorer/explorer.queries.ts'
import { QueryPreviewTable } from '../QueryPreviewTable.tsx'
import { useSparks } from '../use-sparks.ts'
import styles from './edit.module.css'
import { createNextKey } from './next-key.ts'

interface SourcesFormProps {
  project: string
  content: SparkContent
  onChange: (sources: SparkSource[]) => void
}

export function SourcesForm({ project, content, onChange }: SourcesFormProps) {
  const { params } = useSparks()
  const { data: databases = [], isPending } = useDatabases(params)
  const { sources } = content
  const { isWaiting, request: add } = useWhenLoaded(isPending, () =>
    onChange([
      ...sources,
      {
        key: createNextKey('source', sources),
        name: 'New source',
        integration_trellis_code: databases[0]?.integration_trellis_code ?? '',
        sql: '',
        max_age_seconds: 300,
      },
    ]),
  )
  return (
    <div className={styles.parts}>
      {sources.length === 0 && (
        <p className={styles.quiet}>
          A source is a query over the tables of the project. Blocks on the page show its rows.
        </p>
      )}
      {sources.map((source, position) => (
        <SourceFields
          key={position}
          project={project}
          source={source}
          parameters={content.parameters}
          databases={databases}
          onChange={(next) => onChange(sources.map((source, index) => (index === position ? next : source)))}
          onRemove={() => onChange(sources.filter((_, index) => index !== position))}
        />
      ))}
      {sources.length < MAX_SPARK_SOURCES && (
        <Button icon={<Plus aria-hidden />} isBusy={isWaiting} onClick={() => add(undefined)}>
          Add source
        </Button>
      )}
    </div>
  )
}

interface SourceFieldsProps {
  project: string
  source: SparkSource
  parameters: SparkContent['parameters']
  databases: readonly { integration_trellis_code: string; name: string }[]
  onChange: (source: SparkSource) => void
  onRemove: () => void
}

function SourceFields({ project, source, parameters, databases, onChange, onRemove }: SourceFieldsProps) {
  const { params } = useSparks()
  const [isOpen, setOpen] = useState(source.sql === '')
  const check = useApiMutation(checkSparkSource)
  const set = (change: Partial<SparkSource>) => onChange({ ...source, ...change })
  const runQuery = () =>
    check.mutate({ params, body: { project_trellis_code: project, source, parameters, values: {} } })
  return (
    <details open={isOpen} className={styles.part} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <strong>{source.name}</strong> <code>{source.key}</code>
      </summary>
      {isOpen && (
        <div className={styles.fields}>
          <div className={styles.pair}>
            <TextField
              label="Source name"
              value={source.name}
              maxLength={120}
              onChange={(event) => set({ name: event.target.value })}
            />
            <TextField
              label="Key"
              isMono
              value={source.key}
              maxLength={40}
              onChange={(event) => set({ key: event.target.value })}
            />
            <Select
              label="Database"
              options={databases.map((database) => ({
                value: database.integration_trellis_code,
                label: database.name,
              }))}
              value={source.integration_trellis_code}
              onChange={(event) => set({ integration_trellis_code: event.target.value })}
            />
            <TextField
              label="Cache results for (seconds)"
              type="number"
              min={0}
              max={86_400}
              value={source.max_age_seconds}
              onChange={(event) => set({ max_age_seconds: Math.max(0, Math.trunc(Number(event.target.value)) || 0) })}
            />
          </div>
          <CodeEditor
            label={`SQL of ${source.name}`}
            language="sql"
            height={180}
            value={source.sql}
            placeholder="select … from … where :parameter::text is null or column = :parameter"
            onChange={(sql) => set({ sql })}
          />
          <div className={styles.actions}>
            <Button
              size="sm"
              icon={<Play aria-hidden />}
              isBusy={check.isPending}
              disabled={source.sql.trim() === ''}
              onClick={runQuery}
            >
              Run query
            </Button>
            <IconButton
              size="sm"
              label={`Delete source ${source.key}`}
              icon={<Trash2 aria-hidden />}
              onClick={onRemove}
            />
          </div>
          {check.isError && <Banner tone="danger">{check.error.message}</Banner>}
          {check.data?.problem && (
            <Banner tone="danger" title={check.data.problem.message}>
              {check.data.problem.hint}
            </Banner>
          )}
          {check.data && !check.data.problem && (
            <QueryPreviewTable columns={check.data.columns} rows={check.data.rows} />
          )}
        </div>
      )}
    </details>
  )
}
