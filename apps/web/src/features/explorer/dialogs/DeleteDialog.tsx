import { tagOf } from '@trellis/contract/explorer/dependents-tag'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { detailOf } from '../../../api/api-error.ts'
import { Banner } from '../../../ui/feedback/Banner.tsx'
import { Loading, Skeleton } from '../../../ui/feedback/Skeleton.tsx'
import { Checkbox } from '../../../ui/forms/Choices.tsx'
import { TypedConfirmDialog } from '../../../ui/overlays/ConfirmDialog.tsx'
import { dependentText } from '../dependent-words.ts'
import type { SchemaAddress } from '../explorer-paths.ts'
import {
  schemaRef,
  tableRef,
  useDeleteSchema,
  useDeleteTable,
  useDependents,
  useRefreshNames,
} from '../explorer.queries.ts'
import { useAddress, useExplorer } from '../use-explorer.ts'
import styles from './dialogs.module.css'

interface DeleteProps {
  at: SchemaAddress & { table?: string }
  onClose: () => void
}

/** Says what goes with it, and lets it go only when the word is typed and the consequences are agreed to. */
export default function DeleteDialog({ at, onClose }: DeleteProps) {
  const { params, paths } = useExplorer()
  const here = useAddress()
  const navigate = useNavigate()
  const refresh = useRefreshNames()
  const dependents = useDependents(params, at)
  const deleteTable = useDeleteTable()
  const deleteSchema = useDeleteSchema()
  const [isCascading, setCascading] = useState(false)
  const [problem, setProblem] = useState<string>()
  const { table } = at
  const name = table ?? at.schema
  const found = dependents.data ?? []
  const isBlocked = found.length > 0 && !isCascading

  const confirm = async () => {
    if (isBlocked) {
      setProblem('Other things depend on it. Agree to delete them too, or change them first.')
      return
    }
    setProblem(undefined)
    const cascade = isCascading ? { cascade: 'true', confirmed: tagOf(found) } : {}
    try {
      if (table === undefined) await deleteSchema.mutateAsync({ params, query: { ...schemaRef(at), ...cascade } })
      else await deleteTable.mutateAsync({ params, query: { ...tableRef({ ...at, table }), ...cascade } })
    } catch (error) {
      setProblem(detailOf(error))
      setCascading(false)
      await dependents.refetch()
      return
    }
    onClose()
    const isHere = here.schema === at.schema && (table === undefined || here.table === table)
    if (isHere)
      await navigate(table === undefined ? paths.database(at.database) : paths.schema(at, 'tables'), { replace: true })
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
      <p>
        {table === undefined
          ? 'The schema goes with every table in it, their rows, descriptions and labels.'
          : 'The table goes with all of its rows, its description and its labels.'}{' '}
        <strong>This can not be undone.</strong>
      </p>
      {dependents.isPending ? (
        <Loading label="Looking for what depends on it">
          <Skeleton height={16} />
        </Loading>
      ) : dependents.isError ? (
        <Banner tone="warning">It could not be found out what depends on it. {dependents.error.message}</Banner>
      ) : (
        found.length > 0 && (
          <div className={styles.dependents}>
            <p>{found.length === 1 ? 'This depends on it:' : `These ${found.length} depend on it:`}</p>
            <ul tabIndex={0} aria-label="What depends on it">
              {found.map((one) => (
                <li key={`${one.kind} ${one.schema_name} ${one.name} ${one.detail}`}>
                  {dependentText(one)} <span>{one.detail}</span>
                </li>
              ))}
            </ul>
            <Checkbox
              label={found.length === 1 ? 'Delete it too' : 'Delete these too'}
              checked={isCascading}
              onChange={(event) => setCascading(event.target.checked)}
            />
          </div>
        )
      )}
    </TypedConfirmDialog>
  )
}
