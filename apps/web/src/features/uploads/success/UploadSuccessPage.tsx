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
    <UploadGate scope={scope}>
      <Page>
        <Success scope={scope} />
      </Page>
    </UploadGate>
  )
}

function Success({ scope }: { scope: UploadScope }) {
  const { fileId = '' } = useParams()
  const file = useFile(scope, fileId)
  if (file.isError) {
    return (
      <ErrorPanel
        title="The load could not be found"
        detail={file.error.message}
        reference={file.error.requestId}
        isRetrying={file.isFetching}
        onRetry={() => void file.refetch()}
      >
        <ButtonLink to={filesPath(scope)}>All files</ButtonLink>
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
  return <Delivered scope={scope} file={file.data} />
}

function Delivered({ scope, file }: { scope: UploadScope; file: UploadFile }) {
  const table = file.table_name ?? scope.table ?? ''
  const loads = useTableFiles(scope, table === '' ? null : table)
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
            to={wizardPath(scope, { mode: file.mode, table: file.table_name, fileId: file.file_id })}
          >
            Go on with it
          </ButtonLink>
        }
      >
        {file.original_filename} waits for you.
      </FullNotice>
    )
  }
  if (file.is_taken_back) return <Undone scope={scope} file={file} table={table} />
  return (
    <>
      <FullNotice
        icon={<CircleCheck />}
        tone="success"
        title={formatSuccess(file.mode, table)}
        actions={
          <>
            <ButtonLink variant="primary" icon={<Table2 aria-hidden />} to={`${tablePath(scope, table)}/preview`}>
              Look at the rows
            </ButtonLink>
            <ButtonLink
              icon={<Upload aria-hidden />}
              to={
                file.mode === 'new'
                  ? wizardPath(scope, { mode: 'new', table: null })
                  : `${tablePath(scope, table)}/upload`
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
      {load && isAsking && <UndoDialog scope={scope} table={table} load={load} onClose={() => setAsking(false)} />}
    </>
  )
}

function Undone({ scope, file, table }: { scope: UploadScope; file: UploadFile; table: string }) {
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
            to={wizardPath(scope, { mode: 'new', table: null })}
          >
            Load another file
          </ButtonLink>
        ) : (
          <>
            <ButtonLink variant="primary" icon={<Table2 aria-hidden />} to={`${tablePath(scope, table)}/preview`}>
              Look at the rows
            </ButtonLink>
            <ButtonLink icon={<Upload aria-hidden />} to={`${tablePath(scope, table)}/upload`}>
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
