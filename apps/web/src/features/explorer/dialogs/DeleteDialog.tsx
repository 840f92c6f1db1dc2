import type { Dependent, Usage } from '@trellis/contract/explorer/explorer.schemas'
import { RECYCLE_BIN_DAYS } from '@trellis/contract/explorer/recycle-bin.schemas'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { getErrorDetail } from '../../../api/api-error.ts'
import { formatBytes, formatCount, shortCount } from '../../../ui/data/amounts.ts'
import { Banner } from '../../../ui/feedback/Banner.tsx'
import { Loading, Skeleton } from '../../../ui/feedback/Skeleton.tsx'
import { showToast } from '../../../ui/feedback/toasts.ts'
import { Checkbox } from '../../../ui/forms/Choices.tsx'
import { TypedConfirmDialog } from '../../../ui/overlays/ConfirmDialog.tsx'
import { dependentKey, formatDependent } from '../dependent-words.ts'
import type { SchemaAddress } from '../explorer-paths.ts'
import { schemaRef, tableRef, useDeleteSchema, useDeleteTable, useRefreshNames, useUsage } from '../explorer.queries.ts'
import { useRestoreDeletion } from '../recycle-bin.queries.ts'
import { useAddress, useExplorer } from '../use-explorer.ts'
import styles from './dialogs.module.css'

interface DeleteProps {
  address: SchemaAddress & { table?: string }
  onClose: () => void
}

/** Needs the typed word and consent to each consequence. */
export default function DeleteDialog({ address, onClose }: DeleteProps) {
  const { params, paths } = useExplorer()
  const here = useAddress()
  const navigate = useNavigate()
  const refresh = useRefreshNames()
  const usage = useUsage(params, address)
  const deleteTable = useDeleteTable()
  const deleteSchema = useDeleteSchema()
  const restore = useRestoreDeletion()
  const [isCascading, setCascading] = useState(false)
  const [problem, setProblem] = useState<string>()
  const { table } = address
  const name = table ?? address.schema

  // The dialog is unmounted by then, and its callbacks with it.
  const undo = async (deletion_code: string) => {
    try {
      const { notes } = await restore.mutateAsync({ params: { ...params, deletion_code }, body: {} })
      showToast({ tone: 'success', text: `${name} restored.`, detail: notes.join(' ') })
    } catch (error) {
      showToast({ tone: 'danger', text: `${name} could not be restored.`, detail: getErrorDetail(error) })
    }
  }

  const confirm = async () => {
    const found = usage.data
    if (!found) {
      setProblem('It is not known yet what depends on it. Try again in a moment.')
      return
    }
    if (found.needs_cascade && !isCascading) {
      setProblem('Other things depend on it. Agree to delete them too, or change them first.')
      return
    }
    setProblem(undefined)
    const cascade = isCascading ? { cascade: 'true', confirmed: found.confirmation } : {}
    try {
      const { deletion_code } =
        table === undefined
          ? await deleteSchema.mutateAsync({ params, query: { ...schemaRef(address), ...cascade } })
          : await deleteTable.mutateAsync({ params, query: { ...tableRef({ ...address, table }), ...cascade } })
      showToast({
        tone: 'success',
        text: `${name} deleted.`,
        detail: `It can be restored for ${RECYCLE_BIN_DAYS} days.`,
        action: { label: 'Undo', onSelect: () => void undo(deletion_code) },
      })
    } catch (error) {
      setProblem(getErrorDetail(error))
      setCascading(false)
      await usage.refetch()
      return
    }
    onClose()
    const isHere = here.schema === address.schema && (table === undefined || here.table === table)
    if (isHere)
      await navigate(table === undefined ? paths.database(address.database) : paths.schema(address, 'tables'), {
        replace: true,
      })
    await refresh()
  }
  return (
    <TypedConfirmDialog
      title={`Delete ${name}?`}
      isBusy={deleteTable.isPending || deleteSchema.isPending}
      error={problem}
      onConfirm={() => void confirm()}
      onClose={onClose}
    >
      {usage.isPending ? (
        <Loading label="Looking for what depends on it">
          <Skeleton height={16} />
        </Loading>
      ) : usage.isError ? (
        <Banner tone="warning">It could not be found out what depends on it. {usage.error.message}</Banner>
      ) : (
        <>
          <p>
            {describeSize(usage.data)} It moves to the recycle bin, where nobody can read it, and can be restored for{' '}
            {RECYCLE_BIN_DAYS} days. Until then it counts as storage.
          </p>
          <Consequences usage={usage.data} isCascading={isCascading} onCascade={setCascading} />
        </>
      )}
    </TypedConfirmDialog>
  )
}

function describeSize({ tables, views, rows_estimate, size_bytes }: Usage): string {
  const what = [
    ...(tables > 0 ? [formatCount(tables, 'table')] : []),
    ...(views > 0 ? [formatCount(views, 'view')] : []),
  ].join(' and ')
  if (what === '') return 'It is empty.'
  return `${what}, about ${shortCount(rows_estimate)} ${rows_estimate === 1 ? 'row' : 'rows'}, ${formatBytes(size_bytes)}.`
}

const EFFECTS: readonly { effect: Dependent['effect']; title: string }[] = [
  { effect: 'blocks', title: 'These have to be changed first:' },
  { effect: 'deleted', title: 'These are deleted too, and come back when it is restored:' },
  { effect: 'stops', title: 'These use it:' },
  { effect: 'kept', title: 'These lose access or its labels until it is restored:' },
]

interface ConsequencesProps {
  usage: Usage
  isCascading: boolean
  onCascade: (isCascading: boolean) => void
}

function Consequences({ usage, isCascading, onCascade }: ConsequencesProps) {
  const groups = EFFECTS.map(({ effect, title }) => ({
    title,
    items: usage.used_by.filter((item) => item.effect === effect),
  })).filter(({ items }) => items.length > 0)
  if (groups.length === 0 && !usage.needs_cascade) return null
  return (
    <div className={styles.dependents}>
      {groups.map(({ title, items }) => (
        <section key={title}>
          <p>{title}</p>
          <ul tabIndex={0} aria-label={title}>
            {items.map((item) => (
              <li key={dependentKey(item)}>
                {formatDependent(item)} <span>{item.detail}</span>
              </li>
            ))}
          </ul>
        </section>
      ))}
      {usage.needs_cascade && (
        <Checkbox
          label={
            usage.used_by.some(({ effect }) => effect !== 'kept') ? 'Delete it all the same' : 'Delete everything in it'
          }
          checked={isCascading}
          onChange={(event) => onCascade(event.target.checked)}
        />
      )}
    </div>
  )
}
