import type { RowConflict } from '@trellis/contract/explorer/row-edits.schemas'
import { useState } from 'react'
import { ApiError, getErrorDetail } from '../../../api/api-error.ts'
import { Loaded } from '../../../app/loading/Loaded.tsx'
import { Button } from '../../../ui/actions/Button.tsx'
import { CodeBlock } from '../../../ui/data/CodeBlock.tsx'
import { Banner } from '../../../ui/feedback/Banner.tsx'
import { Dialog } from '../../../ui/overlays/Dialog.tsx'
import { useApplyEdits, useEditStatements } from '../row-edits.queries.ts'
import { useExplorer, useTableAddress } from '../use-explorer.ts'
import { ConflictList } from './ConflictList.tsx'
import { type PendingEdits, listRowEdits, nameTarget, resolveConflict } from './pending-edits.ts'

interface ReviewDialogProps {
  edits: PendingEdits
  onChange: (edits: PendingEdits) => void
  onApplied: (rows: number) => void
  onClose: () => void
}

export function ReviewDialog({ edits, onChange, onApplied, onClose }: ReviewDialogProps) {
  const { params } = useExplorer()
  const address = useTableAddress()
  const listedRowEdits = listRowEdits(edits)
  const sent = listedRowEdits.map(({ edit }) => edit)
  const statements = useEditStatements(params, address, sent)
  const applying = useApplyEdits(params, address)
  const [conflicts, setConflicts] = useState<readonly RowConflict[]>([])
  const apply = async () => {
    const result = await applying.apply(sent).catch(() => undefined)
    if (result?.status === 'applied') onApplied(result.rows)
    else if (result) setConflicts(result.conflicts)
  }
  const resolve = (conflict: RowConflict, keep: 'mine' | 'theirs') => {
    const target = listedRowEdits[conflict.edit]?.target
    // Indices shift when a change is dropped; the next apply checks again.
    setConflicts([])
    if (!target) return
    const next = resolveConflict(edits, { target, conflict, keep })
    onChange(next)
    if (listRowEdits(next).length === 0) onClose()
  }
  return (
    <Dialog
      title={`Review ${listedRowEdits.length === 1 ? 'one change' : `${listedRowEdits.length} changes`}`}
      size="lg"
      isLocked={applying.isPending}
      onClose={onClose}
      footer={
        <>
          <Button disabled={applying.isPending} onClick={onClose}>
            Back to the rows
          </Button>
          <Button
            variant="primary"
            isBusy={applying.isPending}
            disabled={!statements.data || conflicts.length > 0}
            onClick={() => void apply()}
          >
            Apply
          </Button>
        </>
      }
    >
      {applying.isError && (
        <Banner tone="danger">
          {nameTarget(listedRowEdits[findEdit(applying.error)]?.target)}: {endSentence(getErrorDetail(applying.error))}{' '}
          Nothing was changed.
        </Banner>
      )}
      {conflicts.length > 0 ? (
        <ConflictList
          conflicts={conflicts}
          nameRow={(conflict) => nameTarget(listedRowEdits[conflict.edit]?.target)}
          onResolve={resolve}
        />
      ) : (
        <>
          <p>These statements run in one transaction. Each one checks that the row is still as you saw it.</p>
          <Loaded query={statements} subject="The SQL" skeletonHeights={[80]}>
            {(found) => <CodeBlock isWrapped title="SQL" code={found.statements.join('\n')} />}
          </Loaded>
        </>
      )}
    </Dialog>
  )
}

/** Postgres messages have no full stop. */
const endSentence = (text: string) => (/[.!?]$/.test(text) ? text : `${text}.`)

function findEdit(error: unknown): number {
  const pointer = error instanceof ApiError ? error.source?.pointer : undefined
  return Number(/^\/edits\/(\d+)/.exec(pointer ?? '')?.[1] ?? Number.NaN)
}
