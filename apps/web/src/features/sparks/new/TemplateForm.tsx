import type { SparkTemplate } from '@trellis/contract/sparks/sparks.schemas'
import { lazy, Suspense, useState } from 'react'
import { Link } from 'react-router'
import { Loaded } from '../../../app/loading/Loaded.tsx'
import { Button } from '../../../ui/actions/Button.tsx'
import { useAddress } from '../../../ui/data/use-address.ts'
import { Loading, Skeleton } from '../../../ui/feedback/Skeleton.tsx'
import { Select } from '../../../ui/forms/Select.tsx'
import { TextField } from '../../../ui/forms/TextField.tsx'
import { useHeldSubmit } from '../../../ui/forms/use-when-loaded.ts'
import styles from '../sparks.module.css'
import { useCreateSpark, useSparkTemplates } from '../sparks.queries.ts'
import { useSparks } from '../use-sparks.ts'
import { ColumnFields } from './ColumnFields.tsx'
import { ColumnsPreview } from './ColumnsPreview.tsx'
import { PREVIEW_HEIGHT } from './preview-height.ts'
import type { NewSparkFormProps } from './BlankSparkForm.tsx'
import { type Template, type TemplateDraft, useTemplateDraft } from './use-template-draft.ts'

const TemplatePreview = lazy(() => import('./TemplatePreview.tsx'))

export function TemplateForm({ project, onCreated }: NewSparkFormProps) {
  const { params } = useSparks()
  const address = useAddress()
  const templates = useSparkTemplates(params)
  const selected = address.params.get('template') as SparkTemplate | null
  return (
    <Loaded query={templates} subject="The templates">
      {({ templates: list }) => {
        const template = list.find((candidate) => candidate.template === selected)
        return (
          <div className={styles.steps}>
            <ul className={styles.cards} aria-label="Templates">
              {list.map((item) => (
                <li key={item.template}>
                  <button
                    type="button"
                    className={styles.card}
                    aria-pressed={item.template === selected}
                    onClick={() => address.put({ template: item.template })}
                  >
                    <strong>{item.name}</strong>
                    <p>{item.description}</p>
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

function FillForm({ template, project, onCreated }: NewSparkFormProps & { template: Template }) {
  const { params } = useSparks()
  const draft = useTemplateDraft(template, project)
  const create = useCreateSpark()
  const [typedName, setName] = useState<string | null>(null)
  const { table, details, values, missing } = draft
  const name = typedName ?? (table ? `${template.name} of ${table.table_name}` : template.name)
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
      <TableField project={project} draft={draft} />
      {table && (
        <ColumnFields
          key={table.key}
          details={details}
          fields={template.fields}
          values={values?.columns ?? {}}
          onChange={draft.setColumns}
        />
      )}
      {isComplete ? (
        <Suspense fallback={<Skeleton height={PREVIEW_HEIGHT} />}>
          <TemplatePreview project={project} name={name} template={template.template} values={values} />
        </Suspense>
      ) : (
        <ChosenColumns project={project} draft={draft} />
      )}
      <TextField label="Name" maxLength={200} value={name} onChange={(event) => setName(event.target.value)} />
      <div className={styles.actions}>
        <Button type="submit" variant="primary" isBusy={create.isPending || isWaiting} disabled={!canSubmit}>
          Create spark
        </Button>
        {values && missing.length > 0 && (
          <span className={styles.quiet}>Still to choose: {missing.map(({ label }) => label).join(', ')}.</span>
        )}
      </div>
    </form>
  )
}

interface DraftPartProps {
  project: string
  draft: TemplateDraft
}

function TableField({ project, draft: { tables, areTablesLoading, table, choose } }: DraftPartProps) {
  const { paths } = useSparks()
  if (areTablesLoading) {
    return (
      <Loading label="Loading the tables of the project">
        <Skeleton height={56} />
      </Loading>
    )
  }
  return (
    <Select
      label="Table"
      placeholder={tables.length === 0 ? 'The project has no tables' : 'Choose a table'}
      hint={tables.length === 0 && <Link to={paths.project(project)}>Choose the tables of the project</Link>}
      options={tables.map(({ key, schema_name, table_name }) => ({
        value: key,
        label: `${schema_name}.${table_name}`,
      }))}
      value={table?.key ?? ''}
      onChange={(event) => choose(event.target.value)}
    />
  )
}

function ChosenColumns({ project, draft: { table, values } }: DraftPartProps) {
  const selected = Object.values(values?.columns ?? {}).flat()
  if (!table || selected.length === 0) return null
  return <ColumnsPreview project={project} table={table} columns={selected} />
}
