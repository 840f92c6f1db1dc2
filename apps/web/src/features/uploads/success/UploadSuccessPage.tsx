import type { UploadFile } from '@trellis/contract/uploads/uploads.schemas'
import { CircleCheck, RotateCcw, Table2, Upload } from 'lucide-react'
import { useState } from 'react'
import { useParams } from 'react-router'
import { Button, ButtonLink } from '../../../ui/actions/Button.tsx'
import { ErrorPanel } from '../../../ui/feedback/ErrorPanel.tsx'
import { FullNotice } from '../../../ui/feedback/FullNotice.tsx'
import { Loading, Skeleton } from '../../../ui/feedback/Skeleton.tsx'
import { Page } from '../../../ui/layout/Page.tsx'
import { formatCount, wholeNumber } from '../../../ui/data/amounts.ts'
import { filesPath, tablePath, useUploadPlace, wizardPath, type UploadScope } from '../upload-scope.ts'
import { UploadGate } from '../UploadGate.tsx'
import styles from '../uploads.module.css'
import { useFile, useTableFiles } from '../uploads.queries.ts'
import { getRowCount } from '../wizard.ts'
import { formatSuccess, formatUndone } from './success-texts.ts'
import { type TableLoad, UndoDialog } from './UndoDialog.tsx'

export function Component() {
  const scope = useUploadPlace()
  return (
    <UploadGate place={scope}>
      <Page>
        <Success place={scope} />
      </Page>
    </UploadGate>
  )
}

function Success({ place }: { place: UploadScope }) {
  const { fileId = '' } = useParams()
  const file = useFile(place, fileId)
  if (file.isError) {
    return (
      <ErrorPanel
        title="The load could not be found"
        detail={file.error.message}
        reference={file.error.requestId}
        isRetrying={file.isFetching}
        onRetry={() => void file.refetch()}
      >
        <ButtonLink to={filesPath(place)}>All files</ButtonLink>
      </ErrorPanel>
    )
  }
  if (!file.data) {
    return (
      <Loading label="Loading the result" className={styles.ghosts}>
        <Skeleton width={240} height={28} />
        <Skeleton height={120} />
      </Loading>
    )
  }
  return <Delivered place={place} file={file.data} />
}

function Delivered({ place, file }: { place: UploadScope; file: UploadFile }) {
  const table = file.table_name ?? place.table ?? ''
  const loads = useTableFiles(place, table === '' ? null : table)
  const load = loads.data?.find((candidate) => candidate.file_id === file.file_id && candidate.mode !== 'undo')
  const [isAsking, setAsking] = useState(false)
  if (file.state !== 'delivered') {
    return (
      <FullNotice
        icon={<Upload />}
        title="This file is not delivered yet"
        actions={
          <ButtonLink
            variant="primary"
            to={wizardPath(place, { mode: file.mode, table: file.table_name, fileId: file.file_id })}
          >
            Go on with it
          </ButtonLink>
        }
      >
        {file.original_filename} waits for you.
      </FullNotice>
    )
  }
  if (file.is_taken_back) return <Undone place={place} file={file} table={table} />
  return (
    <>
      <FullNotice
        icon={<CircleCheck />}
        tone="success"
        title={formatSuccess(file.mode, table)}
        actions={
          <>
            <ButtonLink variant="primary" icon={<Table2 aria-hidden />} to={`${tablePath(place, table)}/preview`}>
              Look at the rows
            </ButtonLink>
            <ButtonLink
              icon={<Upload aria-hidden />}
              to={
                file.mode === 'new'
                  ? wizardPath(place, { mode: 'new', table: null })
                  : `${tablePath(place, table)}/upload`
              }
            >
              Load another file
            </ButtonLink>
            {load?.can_undo && (
              <Button icon={<RotateCcw aria-hidden />} onClick={() => setAsking(true)}>
                Undo
              </Button>
            )}
          </>
        }
      >
        {loads.isPending ? (
          <Loading label="Loading the counts" className={styles.ghosts}>
            <Skeleton width={160} height={40} />
          </Loading>
        ) : (
          <Counts file={file} load={load} />
        )}
      </FullNotice>
      {load && isAsking && <UndoDialog place={place} table={table} load={load} onClose={() => setAsking(false)} />}
    </>
  )
}

function Undone({ place, file, table }: { place: UploadScope; file: UploadFile; table: string }) {
  const isNew = file.mode === 'new'
  return (
    <FullNotice
      icon={<RotateCcw />}
      title="This load was undone"
      actions={
        isNew ? (
          <ButtonLink
            variant="primary"
            icon={<Upload aria-hidden />}
            to={wizardPath(place, { mode: 'new', table: null })}
          >
            Load another file
          </ButtonLink>
        ) : (
          <>
            <ButtonLink variant="primary" icon={<Table2 aria-hidden />} to={`${tablePath(place, table)}/preview`}>
              Look at the rows
            </ButtonLink>
            <ButtonLink icon={<Upload aria-hidden />} to={`${tablePath(place, table)}/upload`}>
              Load another file
            </ButtonLink>
          </>
        )
      }
    >
      {formatUndone(file.mode, { table, fileName: file.original_filename })}
    </FullNotice>
  )
}

function Counts({ file, load }: { file: UploadFile; load: TableLoad | undefined }) {
  const quarantined = load?.quarantined_rows ?? 0
  return (
    <>
      <dl className={styles.facts}>
        <div>
          <dt>rows delivered</dt>
          <dd>{wholeNumber(load?.rows ?? getRowCount(file) ?? 0)}</dd>
        </div>
        {quarantined > 0 && (
          <div>
            <dt>in quarantine</dt>
            <dd>{wholeNumber(quarantined)}</dd>
          </div>
        )}
      </dl>
      {quarantined > 0
        ? `${formatCount(quarantined, 'row')} of ${file.original_filename} did not fit and can be downloaded under Files.`
        : `All of ${file.original_filename} arrived.`}
    </>
  )
}
