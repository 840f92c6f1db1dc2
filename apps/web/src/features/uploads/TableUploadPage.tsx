import { CopyPlus, FilePen, Replace, RotateCcw } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { Button } from '../../ui/actions/Button.tsx'
import { DateTime } from '../../ui/data/DateTime.tsx'
import { ErrorPanel } from '../../ui/feedback/ErrorPanel.tsx'
import { Loading, Skeleton } from '../../ui/feedback/Skeleton.tsx'
import { Badge } from '../../ui/feedback/Status.tsx'
import { Card } from '../../ui/layout/Card.tsx'
import { Page, PageHeader } from '../../ui/layout/Page.tsx'
import { formatCount } from '../../ui/data/amounts.ts'
import { type TableLoad, UndoDialog } from './success/UndoDialog.tsx'
import { useUploadPlace, wizardPath, type UploadScope } from './upload-scope.ts'
import { UploadGate } from './UploadGate.tsx'
import styles from './uploads.module.css'
import { useTableFiles, useTableDetails } from './uploads.queries.ts'

export function Component() {
  const scope = useUploadPlace()
  const { table } = scope
  return (
    <UploadGate scope={scope}>
      <Page>
        <PageHeader title="Upload into the table" subtitle={`${scope.schema}.${table}`} />
        <div className={styles.stack}>
          <div className={styles.choices}>
            <Link className={styles.choice} to={wizardPath(scope, { mode: 'append', table })}>
              <CopyPlus aria-hidden />
              <h2>Append</h2>
              <ul>
                <li>The rows of the file are added to those that are there.</li>
                <li>Rows whose key exists already are shown before anything happens.</li>
                <li>Can be undone: the added rows are removed again.</li>
              </ul>
            </Link>
            <Link className={styles.choice} to={wizardPath(scope, { mode: 'replace', table })}>
              <Replace aria-hidden />
              <h2>Replace</h2>
              <ul>
                <li>The rows that are there go; the rows of the file take their place.</li>
                <li>Columns, keys, rights and what reads the table stay.</li>
                <li>Can be undone: the previous rows are stored for a while.</li>
              </ul>
            </Link>
            <UpsertChoice scope={scope} />
          </div>
          <Loads scope={scope} />
        </div>
      </Page>
    </UploadGate>
  )
}

function UpsertChoice({ scope }: { scope: UploadScope }) {
  const { table } = scope
  const { data } = useTableDetails(scope, table)
  const hasKey = data === undefined || data.primary_key.length > 0
  const head = (
    <>
      <FilePen aria-hidden />
      <h2>Upsert</h2>
    </>
  )
  if (!hasKey) {
    return (
      <div className={styles.choice}>
        {head}
        <p className={styles.note}>The table has no primary key, so its rows can’t be matched.</p>
      </div>
    )
  }
  return (
    <Link className={styles.choice} to={wizardPath(scope, { mode: 'upsert', table })}>
      {head}
      <ul>
        <li>Rows whose key is there are changed, the others are added.</li>
        <li>Columns the file does not have keep their values; no row goes.</li>
        <li>Can be undone while nobody changes those rows: what they held is kept for a while.</li>
      </ul>
    </Link>
  )
}

function Loads({ scope }: { scope: UploadScope }) {
  const loads = useTableFiles(scope, scope.table)
  const [undoing, setUndoing] = useState<TableLoad | null>(null)
  if (loads.isError) {
    return (
      <ErrorPanel
        title="The loads of this table could not be loaded"
        detail={loads.error.message}
        reference={loads.error.requestId}
        isRetrying={loads.isFetching}
        onRetry={() => void loads.refetch()}
      />
    )
  }
  if (!loads.data) {
    return (
      <Loading label="Loading the loads" className={styles.ghosts}>
        <Skeleton height={40} />
        <Skeleton height={40} />
      </Loading>
    )
  }
  return (
    <Card title="Loads so far">
      {loads.data.length === 0 ? (
        'No file has gone into this table yet.'
      ) : (
        <ul className={styles.loads}>
          {loads.data.map((load) => (
            <li key={load.load_id}>
              <Badge>{load.mode}</Badge>
              <span>{load.original_filename ?? load.source}</span>
              <span>{formatCount(load.rows, 'row')}</span>
              {load.is_undone && <Badge tone="warning">Undone</Badge>}
              <span className={styles.note}>
                <DateTime value={load.finished_at} format="recent" />
                {load.by && ` · ${load.by}`}
              </span>
              {load.can_undo && (
                <Button
                  size="sm"
                  icon={<RotateCcw aria-hidden />}
                  aria-label={`Undo ${load.original_filename ?? load.source}`}
                  onClick={() => setUndoing(load)}
                >
                  Undo
                </Button>
              )}
            </li>
          ))}
        </ul>
      )}
      {undoing && (
        <UndoDialog scope={scope} table={scope.table ?? ''} load={undoing} onClose={() => setUndoing(null)} />
      )}
    </Card>
  )
}
