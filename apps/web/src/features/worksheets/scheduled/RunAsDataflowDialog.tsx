import type { UserFile } from '@trellis/contract/worksheets/worksheets.schemas'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { getErrorDetail } from '../../../api/api-error.ts'
import { Loaded } from '../../../app/loading/Loaded.tsx'
import { Button } from '../../../ui/actions/Button.tsx'
import { Banner } from '../../../ui/feedback/Banner.tsx'
import { Checkbox } from '../../../ui/forms/Choices.tsx'
import { Select } from '../../../ui/forms/Select.tsx'
import { TextField } from '../../../ui/forms/TextField.tsx'
import { Dialog } from '../../../ui/overlays/Dialog.tsx'
import { useDataflowsScope, useFolderStructure } from '../../dataflows/dataflows.queries.ts'
import { useWorksheets } from '../use-worksheets.ts'
import { useRunAsDataflow } from './scheduled.queries.ts'
import { type RunAsChoice, returnsRows, isComplete, toBlockName, toRequest, toTableName } from './worksheet-block.ts'

interface RunAsDataflowDialogProps {
  projectId: string
  file: UserFile
  onClose: () => void
}

export function RunAsDataflowDialog({ projectId, file, onClose }: RunAsDataflowDialogProps) {
  const { params } = useWorksheets()
  const { paths } = useDataflowsScope()
  const navigate = useNavigate()
  const structure = useFolderStructure(params)
  const make = useRunAsDataflow()
  const name = toBlockName(file.name)
  const [choice, setChoice] = useState<RunAsChoice>({
    dataflow: '',
    dataflowName: name,
    folder: '',
    blockName: name,
    hasTable: returnsRows(file.content),
    schemaName: 'data',
    tableName: toTableName(file.name),
  })
  const change = (next: Partial<RunAsChoice>) => setChoice((oldRunAsChoice) => ({ ...oldRunAsChoice, ...next }))
  const isPublished = file.change !== 'added'
  const canMake = isPublished && isComplete(choice) && !make.isPending
  const submit = () =>
    make.mutate(
      { params, body: { project_id: projectId, file_id: file.file_id, ...toRequest(choice) } },
      {
        onSuccess: ({ dataflow_trellis_code: dataflow, task_block_trellis_code: block }) =>
          void navigate(paths.setup(dataflow, block)),
      },
    )
  return (
    <Dialog
      title="Run this as a dataflow"
      isLocked={make.isPending}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose} disabled={make.isPending}>
            Cancel
          </Button>
          <Button variant="primary" isBusy={make.isPending} disabled={!canMake} onClick={submit}>
            Create block
          </Button>
        </>
      }
    >
      {!isPublished && (
        <Banner tone="warning">
          This worksheet is not published yet. Push it first: a dataflow runs what is live.
        </Banner>
      )}
      {isPublished && file.change !== 'unchanged' && (
        <Banner>The block runs the published version. Your unpublished changes follow when you push.</Banner>
      )}
      <Loaded query={structure} subject="The dataflows" skeletonHeights={[48, 48]}>
        {({ folders, dataflows }) => (
          <form
            onSubmit={(event) => {
              event.preventDefault()
              if (canMake) submit()
            }}
          >
            <Select
              label="Dataflow"
              value={choice.dataflow}
              options={[
                { value: '', label: 'New dataflow' },
                ...dataflows.map(({ trellis_code, name }) => ({ value: trellis_code, label: name })),
              ]}
              onChange={(event) => change({ dataflow: event.target.value })}
            />
            {choice.dataflow === '' && (
              <>
                <TextField
                  label="Name of the dataflow"
                  value={choice.dataflowName}
                  maxLength={100}
                  onChange={(event) => change({ dataflowName: event.target.value })}
                />
                <Select
                  label="Folder"
                  value={choice.folder}
                  options={[
                    { value: '', label: 'No folder' },
                    ...folders.map(({ trellis_code, name }) => ({ value: trellis_code, label: name })),
                  ]}
                  onChange={(event) => change({ folder: event.target.value })}
                />
              </>
            )}
            <TextField
              label="Name of the block"
              value={choice.blockName}
              maxLength={100}
              onChange={(event) => change({ blockName: event.target.value })}
            />
            <Output choice={choice} change={change} />
            {/* Implicit submission: Enter needs a submit button in a form with several fields. */}
            <button type="submit" hidden>
              Create block
            </button>
          </form>
        )}
      </Loaded>
      {make.isError && <Banner tone="danger">{getErrorDetail(make.error)}</Banner>}
    </Dialog>
  )
}

function Output({ choice, change }: { choice: RunAsChoice; change: (next: Partial<RunAsChoice>) => void }) {
  return (
    <>
      <Checkbox
        label="Write the rows of the SELECT into a table"
        hint="Switch it off for SQL that inserts, updates or creates by itself."
        checked={choice.hasTable}
        onChange={(event) => change({ hasTable: event.target.checked })}
      />
      {choice.hasTable && (
        <>
          <TextField
            label="Schema"
            value={choice.schemaName}
            maxLength={63}
            onChange={(event) => change({ schemaName: event.target.value })}
          />
          <TextField
            label="Table"
            hint="Every run replaces its rows. Choose another write mode in the block."
            value={choice.tableName}
            maxLength={63}
            onChange={(event) => change({ tableName: event.target.value })}
          />
        </>
      )}
    </>
  )
}
