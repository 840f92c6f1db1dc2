import type { ParameterValues } from '@trellis/contract/sparks/spark-bridge.schemas'
import type { Spark } from '@trellis/contract/sparks/sparks.schemas'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { SubmitDialog } from '../../../ui/forms/SubmitDialog.tsx'
import { TextField } from '../../../ui/forms/TextField.tsx'
import { ConfirmDialog } from '../../../ui/overlays/ConfirmDialog.tsx'
import { useDeleteSpark, useUpdateSpark } from '../sparks.queries.ts'
import { useSparks } from '../use-sparks.ts'
import { MailDialog } from './MailDialog.tsx'
import type { SparkDialog } from './SparkActions.tsx'

interface SparkDialogsProps {
  dialog: SparkDialog
  spark: Spark
  parameters: ParameterValues
  onClose: () => void
}

export default function SparkDialogs({ dialog, spark, parameters, onClose }: SparkDialogsProps) {
  if (dialog === 'rename') return <RenameDialog spark={spark} onClose={onClose} />
  if (dialog === 'delete') return <DeleteDialog spark={spark} onClose={onClose} />
  return <MailDialog spark={spark} parameters={parameters} onClose={onClose} />
}

interface OneDialogProps {
  spark: Spark
  onClose: () => void
}

function RenameDialog({ spark, onClose }: OneDialogProps) {
  const { params } = useSparks()
  const update = useUpdateSpark({ successText: 'Spark saved.' })
  const [name, setName] = useState(spark.name)
  const [description, setDescription] = useState(spark.description)
  return (
    <SubmitDialog
      title="Rename spark"
      submitLabel="Save"
      isBusy={update.isPending}
      canSubmit={name.trim() !== ''}
      onClose={onClose}
      onSubmit={() =>
        update.mutate(
          { params: { ...params, spark_trellis_code: spark.spark_trellis_code }, body: { name, description } },
          { onSuccess: onClose },
        )
      }
    >
      <TextField label="Name" maxLength={200} value={name} onChange={(event) => setName(event.target.value)} />
      <TextField
        label="Description"
        isOptional
        maxLength={2000}
        value={description}
        onChange={(event) => setDescription(event.target.value)}
      />
    </SubmitDialog>
  )
}

function DeleteDialog({ spark, onClose }: OneDialogProps) {
  const { params, paths } = useSparks()
  const navigate = useNavigate()
  const remove = useDeleteSpark()
  return (
    <ConfirmDialog
      title={`Delete ${spark.name}?`}
      isBusy={remove.isPending}
      onClose={onClose}
      onConfirm={() =>
        remove.mutate(
          { params: { ...params, spark_trellis_code: spark.spark_trellis_code } },
          { onSuccess: () => void navigate(paths.home) },
        )
      }
    >
      <p>
        The spark is deleted with its {spark.latest_version.number} versions, its comments and its scheduled mails. The
        tables stay.
      </p>
    </ConfirmDialog>
  )
}
