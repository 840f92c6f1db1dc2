import type { SparkTemplate, SparkTemplates } from '@trellis/contract/sparks/sparks.schemas'
import { lazy, Suspense, useState } from 'react'
import { Link } from 'react-router'
import { Loaded } from '../../../app/loading/Loaded.tsx'
import { Button } from '../../../ui/actions/Button.tsx'
import { useAddress } from '../../../ui/data/use-address.ts'
import { Loading, Skeleton } from '../../../ui/feedback/Skeleton.tsx'
import { Select } from '../../../ui/forms/Select.tsx'
import { TextField } from '../../../ui/forms/TextField.tsx'
import { useHeldSubmit } from '../../../ui/forms/use-when-loaded.ts'
import { useTableDetails } from '../../explorer/explorer.queries.ts'
import { type ProjectTable, useProjectTableList } from '../project-tables.queries.ts'
import styles from '../sparks.module.css'
import { useCreateSpark, useSparkTemplates } from '../sparks.queries.ts'
import { useSparks } from '../use-sparks.ts'
import { ColumnFields } from './ColumnFields.tsx'
import { ColumnsPreview } from './ColumnsPreview.tsx'
import { guessColumns } from './guess-columns.ts'
import { PREVIEW_HEIGHT } from './preview-height.ts'
import type { WayProps } from './ScratchForm.tsx'

const TemplatePreview = lazy(() => import('./TemplatePreview.tsx'))

type Template = SparkTemplates['templates'][number]

export function TemplateForm({ project, onCreated }: WayProps) {
  const { params } = useSparks()
  const address = useAddress()
  const templates = useSparkTemplates(params)
  const chosen = address.params.get('template') as SparkTemplate | null
  return (
    <Loaded query={templates} what="The templates">
      {({ templates: list }) => {
        const template = list.find((one) => one.template === chosen)
        return (
          <div className={styles.steps}>
            <ul className={styles.cards} aria-label="Templates">
              {list.map((one) => (
                <li key={one.template}>
                  <button
                    type="button"
                    className={styles.card}
                    aria-pressed={one.template === chosen}
                    onClick={() => address.put({ template: one.template })}
                  >
                    <strong>{one.name}</strong>
                    <p>{one.description}</p>
                  </button>
                </li>
              ))}
            </ul>
            {template && (
              <FillForm key={template.template} template={template} project={project} onCreated={onCreated} />
            )}
          </div>
        )
      }}
    </Loaded>
  )
}

const toAddress = ({ integration_trellis_code: database, schema_name: schema, table_name: table }: ProjectTable) => ({
  database,
  schema,
  table,
})

function FillForm({ template, project, onCreated }: WayProps & { template: Template }) {
  const { params, paths } = useSparks()
  const { tables, isLoading: areTablesLoading } = useProjectTableList(params, project)
  const create = useCreateSpark()
  const [place, setPlace] = useState('')
  const [changed, setChanged] = useState<Record<string, string[]> | null>(null)
  const [typedName, setName] = useState<string | null>(null)
  const table = tables.find(({ key }) => key === place)
  const details = useTableDetails(params, table ? toAddress(table) : null)
  const columns = changed ?? (details.data && guessColumns(template.fields, details.data.columns))
  const name = typedName ?? (table ? `${template.name} of ${table.table_name}` : template.name)
  const chosen = Object.values(columns ?? {}).flat()
  const missing = template.fields.filter(({ key, is_required }) => is_required && !columns?.[key]?.length)
  const values = table &&
    columns && {
      integration_trellis_code: table.integration_trellis_code,
      schema_name: table.schema_name,
      table_name: table.table_name,
      columns,
    }
  const isComplete = values !== undefined && missing.length === 0
  const canSubmit = name.trim() !== '' && (isComplete || details.isLoading)
  const { isWaiting, formProps } = useHeldSubmit({
    isLoading: details.isLoading,
    canSubmit,
    onSubmit: () => {
      if (!values) return
      create.mutate(
        {
          params,
          body: {
            project_trellis_code: project,
            name,
            origin: { kind: 'template', template: template.template, values },
          },
        },
        { onSuccess: (spark) => onCreated(spark.spark_trellis_code) },
      )
    },
  })
  return (
    <form className={styles.form} {...formProps}>
      <h2>{template.name}</h2>
      {areTablesLoading ? (
        <Loading label="Loading the tables of the project">
          <Skeleton height={56} />
        </Loading>
      ) : (
        <Select
          label="Table"
          placeholder={tables.length === 0 ? 'The project has no tables' : 'Choose a table'}
          hint={tables.length === 0 && <Link to={paths.project(project)}>Choose the tables of the project</Link>}
          options={tables.map(({ key, schema_name, table_name }) => ({
            value: key,
            label: `${schema_name}.${table_name}`,
          }))}
          value={place}
          onChange={(event) => {
            setPlace(event.target.value)
            setChanged(null)
          }}
        />
      )}
      {table && (
        <ColumnFields
          details={details}
          fields={template.fields}
          values={columns ?? {}}
          onChange={setChanged}
          key={table.key}
        />
      )}
      {isComplete ? (
        <Suspense fallback={<Skeleton height={PREVIEW_HEIGHT} />}>
          <TemplatePreview project={project} name={name} template={template.template} values={values} />
        </Suspense>
      ) : (
        table && chosen.length > 0 && <ColumnsPreview project={project} table={table} columns={chosen} />
      )}
      <TextField label="Name" maxLength={200} value={name} onChange={(event) => setName(event.target.value)} />
      <div className={styles.actions}>
        <Button type="submit" variant="primary" isBusy={create.isPending || isWaiting} disabled={!canSubmit}>
          Create spark
        </Button>
        {columns && missing.length > 0 && (
          <span className={styles.quiet}>Still to choose: {missing.map(({ label }) => label).join(', ')}.</span>
        )}
      </div>
    </form>
  )
}
