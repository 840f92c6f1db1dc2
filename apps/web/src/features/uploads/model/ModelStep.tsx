import type { DataModel, FileModel, UploadFile } from '@trellis/contract/uploads/uploads.schemas'
import { ArrowRight } from 'lucide-react'
import { useState } from 'react'
import { ApiError } from '../../../api/api-error.ts'
import { Button } from '../../../ui/actions/Button.tsx'
import { Banner } from '../../../ui/feedback/Banner.tsx'
import { ErrorPanel } from '../../../ui/feedback/ErrorPanel.tsx'
import { Loading, Skeleton } from '../../../ui/feedback/Skeleton.tsx'
import { TextField } from '../../../ui/forms/TextField.tsx'
import { Card } from '../../../ui/layout/Card.tsx'
import { formatCount, wholeNumber } from '../../../ui/data/amounts.ts'
import type { UploadScope } from '../upload-scope.ts'
import { useKeepJob, useModel, useUpdateFile, useValidate } from '../uploads.queries.ts'
import { DialectPanel } from './DialectPanel.tsx'
import { dropDraft, storeDraft, readDraft } from './draft-memory.ts'
import { MappingGrid } from './MappingGrid.tsx'
import { nameWarnings } from './file-name.ts'
import { findModelProblems, suggestTableName, findTableNameProblem } from './model-draft.ts'
import { ModelGrid } from './ModelGrid.tsx'
import styles from './model.module.css'
import { SampleTable } from './SampleTable.tsx'

interface ModelStepProps {
  scope: UploadScope
  file: UploadFile
  onBack: () => void
  onCheck: () => void
}

export function ModelStep({ scope, file, onBack, onCheck }: ModelStepProps) {
  const table = scope.table ?? file.table_name ?? suggestTableName(file.original_filename)
  const model = useModel(scope, file, table)
  if (model.isError) {
    return (
      <ErrorPanel
        title="The data model could not be loaded"
        detail={model.error.message}
        reference={model.error.requestId}
        isRetrying={model.isFetching}
        onRetry={() => void model.refetch()}
      />
    )
  }
  if (!model.data) {
    return (
      <Loading label="Loading the data model" className={styles.stack}>
        <Skeleton height={96} />
        <Skeleton height={320} />
      </Loading>
    )
  }
  // After the file was read again, edits of the old columns must not apply.
  const { dialect } = model.data.file
  return (
    <ModelEditor
      key={JSON.stringify(dialect)}
      scope={scope}
      fileModel={model.data}
      proposedName={table}
      onBack={onBack}
      onCheck={onCheck}
    />
  )
}

function Warnings({ texts }: { texts: readonly string[] }) {
  if (texts.length === 0) return null
  return (
    <Banner tone="warning" title="Worth a look">
      <ul className={styles.warnings}>
        {texts.map((text) => (
          <li key={text}>{text}</li>
        ))}
      </ul>
    </Banner>
  )
}

/** Mentions when types are based on a sample. */
function readText({ file, columns, profiled_rows }: FileModel): string {
  const isWhole = file.rows !== null && profiled_rows >= file.rows
  const read = isWhole
    ? `types found from all ${wholeNumber(profiled_rows)} rows`
    : `types found from the first ${wholeNumber(profiled_rows)} rows; the check reads all of them`
  return `${formatCount(columns.length, 'column')} · ${read}`
}

interface EditorProps {
  scope: UploadScope
  fileModel: FileModel
  proposedName: string
  onBack: () => void
  onCheck: () => void
}

function ModelEditor({ scope, fileModel, proposedName, onBack, onCheck }: EditorProps) {
  const { file } = fileModel
  const draft = useState(() => readDraft(file))[0]
  const [tableName, setTableName] = useState(draft?.tableName ?? proposedName)
  const [model, setModel] = useState<DataModel>(draft?.model ?? fileModel.data_model)
  const [problem, setProblem] = useState<{ text: string; isName: boolean } | null>(null)
  const update = useUpdateFile()
  const validate = useValidate()
  const keepJob = useKeepJob(scope)
  const isNew = scope.mode === 'new'
  const nameProblem = isNew ? findTableNameProblem(tableName) : undefined
  const problems = findModelProblems(model)
  const change = (next: DataModel) => {
    setModel(next)
    storeDraft(file, { tableName, model: next })
  }
  const check = async () => {
    setProblem(null)
    try {
      const params = scope.address
      const { file_id } = file
      await update.mutateAsync({
        params,
        body: { file_id, mode: scope.mode, table_name: scope.table ?? tableName.trim(), data_model: model },
      })
      const job = await validate.mutateAsync({ params, body: { file_id } })
      dropDraft(file)
      keepJob(job)
      onCheck()
    } catch (error) {
      const isName = error instanceof ApiError && error.source?.pointer === '/table_name'
      setProblem({ text: (error as Error).message, isName })
    }
  }
  return (
    <div className={styles.stack}>
      <Warnings texts={[...nameWarnings(file), ...fileModel.warnings]} />
      <DialectPanel scope={scope} fileModel={fileModel} />
      {isNew && (
        <Card>
          <TextField
            label="Name of the new table"
            value={tableName}
            onChange={(event) => {
              setTableName(event.target.value)
              setProblem(null)
              storeDraft(file, { tableName: event.target.value, model })
            }}
            error={nameProblem ?? (problem?.isName ? problem.text : undefined)}
            hint="At most 63 bytes. Lower case and underscores are the easiest to write in SQL."
            autoComplete="off"
            spellCheck={false}
            isMono
          />
        </Card>
      )}
      <Card isFlush title={isNew ? 'Columns' : `Columns of ${scope.table}`} subtitle={readText(fileModel)}>
        {isNew ? (
          <ModelGrid fileModel={fileModel} model={model} problems={problems} onChange={change} />
        ) : (
          <MappingGrid fileModel={fileModel} model={model} onChange={change} />
        )}
      </Card>
      <SampleTable fileModel={fileModel} />
      {problems
        .filter((problem) => problem.index === null)
        .map((problem) => (
          <Banner key={problem.text} tone="danger">
            {problem.text}
          </Banner>
        ))}
      {problem && !problem.isName && (
        <Banner tone="danger" title="The check could not be started">
          {problem.text}
        </Banner>
      )}
      <div className={styles.foot}>
        <Button onClick={onBack}>Leave it for later</Button>
        <Button
          variant="primary"
          icon={<ArrowRight aria-hidden />}
          isBusy={update.isPending || validate.isPending}
          disabled={problems.length > 0 || nameProblem !== undefined}
          onClick={() => void check()}
        >
          Check all rows
        </Button>
      </div>
    </div>
  )
}
