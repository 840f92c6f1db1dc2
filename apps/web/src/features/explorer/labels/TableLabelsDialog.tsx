import { useState } from 'react'
import { Button } from '../../../ui/actions/Button.tsx'
import { Checkbox } from '../../../ui/forms/Choices.tsx'
import { Dialog } from '../../../ui/overlays/Dialog.tsx'
import type { TableAddress } from '../explorer-paths.ts'
import { tableRef, useTableDetails } from '../explorer.queries.ts'
import { useLabels, useSetTableLabels } from '../labels.queries.ts'
import { Loaded } from '../../../app/loading/Loaded.tsx'
import { useExplorer } from '../use-explorer.ts'
import { LabelDot } from './LabelMarks.tsx'
import { LabelForm } from './LabelForm.tsx'
import styles from './labels.module.css'

interface TableLabelsProps {
  address: TableAddress
  onClose: () => void
  onManage: () => void
}

export default function TableLabelsDialog({ address, onClose, onManage }: TableLabelsProps) {
  const { params } = useExplorer()
  const details = useTableDetails(params, address)
  const labels = useLabels(params)
  const save = useSetTableLabels()
  const [changed, setSelected] = useState<readonly number[] | null>(null)
  const [isAdding, setAdding] = useState(false)
  const selected = changed ?? details.data?.labels.map((label) => label.id) ?? []
  const toggle = (id: number, isOn: boolean) =>
    setSelected(isOn ? [...selected, id] : selected.filter((item) => item !== id))
  const submit = async () => {
    const done = await save
      .mutateAsync({ params, body: { ...tableRef(address), label_ids: [...selected] } })
      .catch(() => null)
    if (done) onClose()
  }
  return (
    <Dialog
      title={`Labels of ${address.table}`}
      onClose={onClose}
      isLocked={save.isPending}
      footer={
        <>
          <Button variant="ghost" onClick={onManage}>
            Manage labels
          </Button>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="primary" isBusy={save.isPending} disabled={changed === null} onClick={() => void submit()}>
            Save labels
          </Button>
        </>
      }
    >
      <Loaded query={labels} subject="The labels">
        {(all) => (
          <>
            {all.length === 0 && !isAdding && <p>There are no labels in this workspace yet.</p>}
            <div role="group" aria-label="Labels" className={styles.choices}>
              {all.map((label) => (
                <Checkbox
                  key={label.id}
                  label={
                    <span className={styles.choice}>
                      <LabelDot color={label.color} />
                      {label.name}
                    </span>
                  }
                  disabled={!details.data}
                  checked={selected.includes(label.id)}
                  onChange={(event) => toggle(label.id, event.target.checked)}
                />
              ))}
            </div>
            <div style={{ marginTop: 12 }}>
              {isAdding ? (
                <LabelForm
                  onDone={(createdLabel) => {
                    setAdding(false)
                    if (createdLabel) toggle(createdLabel.id, true)
                  }}
                />
              ) : (
                <Button size="sm" onClick={() => setAdding(true)}>
                  New label
                </Button>
              )}
            </div>
          </>
        )}
      </Loaded>
    </Dialog>
  )
}
