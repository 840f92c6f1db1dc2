import type { FrameRows, ParameterValues } from '@trellis/contract/sparks/spark-bridge.schemas'
import { SparkContent } from '@trellis/contract/sparks/spark-content.schemas'
import { checkSparkSource } from '@trellis/contract/sparks/sparks.endpoints'
import type { ResultColumn } from '@trellis/contract/sql/sql.schemas'
import { Save } from 'lucide-react'
import { useCallback, useState } from 'react'
import { useNavigate } from 'react-router'
import * as z from 'zod/mini'
import { call } from '../../../api/call.ts'
import { Button, ButtonLink } from '../../../ui/actions/Button.tsx'
import { useSettled } from '../../../ui/data/use-settled.ts'
import { Banner } from '../../../ui/feedback/Banner.tsx'
import { TextField } from '../../../ui/forms/TextField.tsx'
import { PageHeader } from '../../../ui/layout/Page.tsx'
import { Tabs } from '../../../ui/layout/Tabs.tsx'
import { ConfirmDialog } from '../../../ui/overlays/ConfirmDialog.tsx'
import { useLeaveGuard } from '../../../ui/overlays/use-leave-guard.ts'
import { SparkFrame } from '../../../spark-host/SparkFrame.tsx'
import { useUpdateSpark } from '../sparks.queries.ts'
import { useSparks } from '../use-sparks.ts'
import { BodyForm } from './BodyForm.tsx'
import styles from './edit.module.css'
import { ParametersForm } from './ParametersForm.tsx'
import { SourcesForm } from './SourcesForm.tsx'
import type { EditedSpark } from './SparkEditorPage.tsx'

const SETTLE_MS = 900

/** The latest version as a draft, with a preview over the first rows of its sources. */
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
          // After the guard has seen that nothing is left to lose.
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
          <Preview
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

function findProblem(draft: SparkContent): string | null {
  const { success, error } = z.safeParse(SparkContent, draft)
  if (!success) {
    const [issue] = error.issues
    return `${issue?.path.join(' › ') ?? ''}: ${issue?.message ?? 'not valid'}`
  }
  const keys = [...draft.sources, ...draft.parameters].map(({ key }) => key)
  const repeated = keys.find((key, at) => keys.indexOf(key) !== at)
  if (repeated !== undefined) return `The key “${repeated}” is used twice.`
  const blocks = draft.body.kind === 'blocks' ? draft.body.blocks : []
  const names = new Set(draft.sources.map(({ key }) => key))
  const lost = blocks.find((block) => 'source' in block && !names.has(block.source))
  return lost && 'source' in lost ? `A block reads the source “${lost.source}”, which is not there.` : null
}

interface PreviewProps {
  project: string
  name: string
  content: SparkContent
  onColumns: (source: string, columns: readonly ResultColumn[]) => void
}

function Preview({ project, name, content, onColumns }: PreviewProps) {
  const { params } = useSparks()
  const settled = useSettled(content, SETTLE_MS)
  const [shown, setShown] = useState(content)
  if (settled !== shown && findProblem(settled) === null) setShown(settled)
  const [values, setValues] = useState<ParameterValues>({})
  const parameters = Object.fromEntries(
    shown.parameters.map(({ key, initial }) => [key, key in values ? (values[key] ?? null) : initial]),
  )
  const readRows = useCallback(
    async (key: string, given: ParameterValues): Promise<FrameRows> => {
      const source = shown.sources.find((one) => one.key === key)
      if (!source) throw new Error(`There is no source “${key}”.`)
      const body = { project_trellis_code: project, source, parameters: shown.parameters, values: given }
      const found = await call(checkSparkSource, { params, body })
      if (found.problem) throw new Error(found.problem.message)
      onColumns(key, found.columns)
      return {
        columns: found.columns,
        rows: found.rows,
        is_cut: false,
        queried_at: new Date().toISOString(),
        stale_since: null,
      }
    },
    [shown, params, project, onColumns],
  )
  return (
    <>
      <p className={styles.quiet}>Preview over the first 50 rows of each source.</p>
      <SparkFrame
        label={`Preview of ${name}`}
        content={shown}
        parameters={parameters}
        readRows={readRows}
        onParameters={setValues}
      />
    </>
  )
}
