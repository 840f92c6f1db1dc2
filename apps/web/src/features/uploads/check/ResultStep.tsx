import type { UploadFile, Validation } from '@trellis/contract/uploads/uploads.schemas'
import { ArrowLeft, PackageCheck } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../../ui/actions/Button.tsx'
import { Banner } from '../../../ui/feedback/Banner.tsx'
import { RadioGroup } from '../../../ui/forms/Choices.tsx'
import { Card } from '../../../ui/layout/Card.tsx'
import { formatCount } from '../../../ui/data/amounts.ts'
import type { UploadScope } from '../upload-scope.ts'
import { useDeliver, useKeepJob, useTableDetails, useUpdateFile } from '../uploads.queries.ts'
import { BadRows } from './BadRows.tsx'
import styles from './check.module.css'
import { DiffCard } from './DiffCard.tsx'
import { canDeliver, CHOICES, deliverLabel, rowSegments, countRowsToDeliver, type BadRowChoice } from './outcome.ts'
import { ShareBar } from './ShareBar.tsx'

interface ResultStepProps {
  scope: UploadScope
  file: UploadFile
  validation: Validation
  onBack: () => void
}

export function ResultStep({ scope, file, validation, onBack }: ResultStepProps) {
  const [choice, setChoice] = useState<BadRowChoice>(file.on_bad_rows)
  const [problem, setProblem] = useState<string | null>(null)
  const update = useUpdateFile()
  const deliver = useDeliver()
  const keepJob = useKeepJob(scope)
  const { bad_rows, has_more_bad_rows, diff } = validation
  const start = async () => {
    setProblem(null)
    try {
      const params = scope.address
      const { file_id } = file
      if (choice !== file.on_bad_rows) await update.mutateAsync({ params, body: { file_id, on_bad_rows: choice } })
      keepJob(await deliver.mutateAsync({ params, body: { file_id } }))
    } catch (error) {
      setProblem((error as Error).message)
    }
  }
  return (
    <div className={styles.stack}>
      <Card
        title={bad_rows === 0 ? 'Every row fits' : `${formatCount(bad_rows, 'row does', 'rows do')} not fit`}
        subtitle={`${formatCount(validation.rows, 'row')} read from ${file.original_filename}`}
      >
        <ShareBar label="Rows of the file" segments={rowSegments(validation)} />
      </Card>
      {validation.warnings.map((text) => (
        <Banner key={text} tone="warning">
          {text}
        </Banner>
      ))}
      {has_more_bad_rows && (
        <Banner tone="danger" title="Too many rows do not fit">
          Reading stopped at {formatCount(bad_rows, 'bad row')}. Go back and choose other types, or how the file is
          read.
        </Banner>
      )}
      {bad_rows > 0 && (
        <>
          <BadRows scope={scope} file={file} total={bad_rows} first={validation.first_bad_rows} />
          <Card>
            <RadioGroup
              label="What becomes of the rows that do not fit?"
              options={CHOICES}
              value={choice}
              onChange={(value) => setChoice(value as BadRowChoice)}
            />
          </Card>
        </>
      )}
      {diff && <DiffCard diff={diff} mode={scope.mode} />}
      {scope.mode !== 'new' && <Impact scope={scope} />}
      {problem && (
        <Banner tone="danger" title="The delivery could not be started">
          {problem}
        </Banner>
      )}
      <div className={styles.foot}>
        <Button icon={<ArrowLeft aria-hidden />} onClick={onBack}>
          Back to the data model
        </Button>
        <Button
          variant="primary"
          icon={<PackageCheck aria-hidden />}
          isBusy={update.isPending || deliver.isPending}
          disabled={!canDeliver(validation, choice)}
          onClick={() => void start()}
        >
          {deliverLabel(scope.mode, countRowsToDeliver(validation, choice))}
        </Button>
      </div>
    </div>
  )
}

function Impact({ scope }: { scope: UploadScope }) {
  const { data } = useTableDetails(scope, scope.table)
  if (!data || data.dependents.length === 0) return null
  return (
    <Card
      title="What reads this table"
      subtitle={
        {
          new: '',
          append: 'It sees the added rows at once.',
          replace: 'It stays connected and sees the new rows at once.',
          upsert: 'It sees the added and changed rows at once.',
        }[scope.mode]
      }
    >
      <ul className={styles.dependents}>
        {data.dependents.map((dependent) => (
          <li key={`${dependent.kind} ${dependent.schema_name} ${dependent.name}`}>
            <span>{dependent.kind.replaceAll('_', ' ')}</span>
            <code>
              {dependent.schema_name === null ? dependent.name : `${dependent.schema_name}.${dependent.name}`}
            </code>
            {dependent.detail}
          </li>
        ))}
      </ul>
    </Card>
  )
}
