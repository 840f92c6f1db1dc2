import { PRIMARY_KEY_MESSAGE } from '@trellis/contract/dataflows/dataflow-words'
import type { Subtask } from '@trellis/contract/dataflows/task-blocks.schemas'
import type { SourceDataModel } from '@trellis/contract/integrations/integrations.schemas'
import { KeyRound } from 'lucide-react'
import { lazy, Suspense, useEffect, useState } from 'react'
import { Button } from '../../../../ui/actions/Button.tsx'
import { formatCount } from '../../../../ui/data/amounts.ts'
import { Skeleton } from '../../../../ui/feedback/Skeleton.tsx'
import { useDraft } from '../draft/use-block-draft.ts'
import styles from '../setup.module.css'
import { useDataModel } from '../setup.queries.ts'

const TableSetupDialog = lazy(() => import('./TableSetupDialog.tsx'))

export function SourceTableSetup({ path, subtask }: { path: string; subtask: Subtask }) {
  const { block, save, store, set } = useDraft()
  useEffect(() => void store.flush(), [store])
  // The server reads the saved draft: before, it does not know a new or renamed subtask.
  const model = useDataModel(block.task_block_trellis_code, subtask.name, save === 'saved')
  const settled = subtask.write?.dataModel ?? null
  const found = model.isError ? settled : model.data
  if (found === null) {
    return <p className={styles.soft}>Columns can be settled once they can be read. {model.error?.message}</p>
  }
  if (!found && (save === 'failed' || save === 'unfit')) {
    return <p className={styles.soft}>Columns can be settled once the draft is saved.</p>
  }
  if (!found) return <Skeleton height={64} />
  return (
    <TableSetup
      found={found}
      settled={settled}
      path={`${path}.dataModel`}
      onSave={(dataModel) => set(`${path}.dataModel`, dataModel)}
    />
  )
}

interface SetupProps {
  path: string
  isKeyNeeded?: boolean
  found: SourceDataModel
  settled: SourceDataModel | null
  onSave: (model: SourceDataModel) => void
}

export function TableSetup({ path, isKeyNeeded = true, found, settled, onSave }: SetupProps) {
  const { isDisabled } = useDraft()
  const [isOpen, setOpen] = useState(false)
  const hasKey = settled !== null && settled.primary_keys.length > 0
  const lacksKey = isKeyNeeded && !hasKey
  const title = settled ? 'Modify Data Model' : 'Setup Table'
  return (
    <div className={styles.prompt} data-path={path} data-lacks={lacksKey}>
      <KeyRound aria-hidden />
      <div>
        <strong>{formatHeading(settled, lacksKey)}</strong>
        <p>{lacksKey ? PRIMARY_KEY_MESSAGE : formatSummary(settled ?? found)}</p>
      </div>
      <Button variant={lacksKey ? 'primary' : 'secondary'} disabled={isDisabled} onClick={() => setOpen(true)}>
        {title}
      </Button>
      {isOpen && (
        <Suspense fallback={null}>
          <TableSetupDialog
            title={title}
            isKeyNeeded={isKeyNeeded}
            found={found}
            settled={settled}
            onClose={() => setOpen(false)}
            onSave={(model) => {
              onSave(model)
              setOpen(false)
            }}
          />
        </Suspense>
      )}
    </div>
  )
}

function formatHeading(settled: SourceDataModel | null, lacksKey: boolean): string {
  if (lacksKey) return 'The table needs a key'
  const keys = settled?.primary_keys ?? []
  return keys.length > 0 ? `Rows are identified by ${keys.join(' + ')}` : 'Columns keep their names and types'
}

function formatSummary(model: SourceDataModel): string {
  const renamed = Object.entries(model.column_mapping).filter(([field, name]) => field !== name).length
  const indexed = Object.keys(model.indexes).length
  return [
    formatCount(Object.keys(model.fields).length, 'field'),
    renamed > 0 ? `${renamed} renamed` : '',
    indexed > 0 ? formatCount(indexed, 'index', 'indexes') : '',
  ]
    .filter(Boolean)
    .join(', ')
}
