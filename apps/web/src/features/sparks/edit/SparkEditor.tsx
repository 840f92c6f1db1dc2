import type { SparkContent } from '@trellis/contract/sparks/spark-content.schemas'
import type { ResultColumn } from '@trellis/contract/sql/sql.schemas'
import { Save } from 'lucide-react'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { Button, ButtonLink } from '../../../ui/actions/Button.tsx'
import { Banner } from '../../../ui/feedback/Banner.tsx'
import { TextField } from '../../../ui/forms/TextField.tsx'
import { PageHeader } from '../../../ui/layout/Page.tsx'
import { Tabs } from '../../../ui/layout/Tabs.tsx'
import { ConfirmDialog } from '../../../ui/overlays/ConfirmDialog.tsx'
import { useLeaveGuard } from '../../../ui/overlays/use-leave-guard.ts'
import { useUpdateSpark } from '../sparks.queries.ts'
import { useSparks } from '../use-sparks.ts'
import { BodyForm } from './BodyForm.tsx'
import { DraftPreview, findProblem } from './DraftPreview.tsx'
import styles from './edit.module.css'
import { ParametersForm } from './ParametersForm.tsx'
import { SourcesForm } from './SourcesForm.tsx'
import type { EditedSpark } from './SparkEditorPage.tsx'

export default function SparkEditor({ spark, version }: EditedSpark) {
  const { params, paths } = useSparks()
  const navigate = useNavigate()
  const update = useUpdateSpark({ successText: 'Saved as a new version.' })
  const [base] = useState(version)
  const [draft, setDraft] = useState(version.content)
  const [note, setNote] = useState('')
  const [tab, setTab] = useState(version.content.sources.length === 0 ? 'sources' : 'body')
  const [isSaved, setSaved] = useState(false)
  const [columns, setColumns] = useState<Readonly<Record<string, readonly ResultColumn[]>>>({})
  const problem = findProblem(draft)
  const isDirty = !isSaved && JSON.stringify(draft) !== JSON.stringify(base.content)
  const guard = useLeaveGuard(isDirty, update.isPending)
  const set = (change: Partial<SparkContent>) => setDraft((before) => ({ ...before, ...change }))
  const save = () =>
    update.mutate(
      {
        params: { ...params, spark_trellis_code: spark.spark_trellis_code },
        body: { content: draft, base_version_trellis_code: base.spark_version_trellis_code, note },
      },
      {
        onSuccess: () => {
          setSaved(true)
          // After the unsaved-changes guard has seen the saved state.
          setTimeout(() => void navigate(paths.one(spark.spark_trellis_code)))
        },
      },
    )
  return (
    <>
      <PageHeader
        title={`Edit ${spark.name}`}
        subtitle={`From version ${base.number}`}
        actions={
          <div className={styles.actions}>
            <TextField
              label="Note for this version"
              isOptional
              maxLength={500}
              value={note}
              onChange={(event) => setNote(event.target.value)}
            />
            <ButtonLink to={paths.one(spark.spark_trellis_code)}>Cancel</ButtonLink>
            <Button
              variant="primary"
              icon={<Save aria-hidden />}
              isBusy={update.isPending}
              disabled={!isDirty || problem !== null}
              onClick={save}
            >
              Save version
            </Button>
          </div>
        }
      />
      <div className={styles.split}>
        <Tabs
          label="Parts of the spark"
          value={tab}
          onChange={setTab}
          tabs={[
            {
              value: 'body',
              label: 'Layout',
              content: <BodyForm content={draft} columns={columns} onChange={(body) => set({ body })} />,
            },
            {
              value: 'sources',
              label: `Sources (${draft.sources.length})`,
              content: (
                <SourcesForm
                  project={spark.project_trellis_code}
                  content={draft}
                  onChange={(sources) => set({ sources })}
                />
              ),
            },
            {
              value: 'parameters',
              label: `Parameters (${draft.parameters.length})`,
              content: <ParametersForm content={draft} onChange={(parameters) => set({ parameters })} />,
            },
          ]}
        />
        <section aria-label="Preview" className={styles.preview}>
          {problem !== null && (
            <Banner tone="warning" title="This can’t be saved yet">
              {problem}
            </Banner>
          )}
          <DraftPreview
            project={spark.project_trellis_code}
            name={spark.name}
            content={draft}
            onColumns={(source, found) => setColumns((before) => ({ ...before, [source]: found }))}
          />
        </section>
      </div>
      {guard.isAsking && (
        <ConfirmDialog
          title="Leave without saving?"
          confirmLabel="Leave"
          cancelLabel="Stay"
          onConfirm={guard.leave}
          onClose={guard.stay}
        >
          <p>The changes of this draft are lost.</p>
        </ConfirmDialog>
      )}
    </>
  )
}
