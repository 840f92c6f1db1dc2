import type { UploadFile } from '@trellis/contract/uploads/uploads.schemas'
import { CircleCheck, RotateCcw, Table2, Upload } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useNavigate, useParams } from 'react-router'
import { Button, ButtonLink } from '../../../ui/actions/Button.tsx'
import { Banner } from '../../../ui/feedback/Banner.tsx'
import { ErrorPanel } from '../../../ui/feedback/ErrorPanel.tsx'
import { FullNotice } from '../../../ui/feedback/FullNotice.tsx'
import { Loading, Skeleton } from '../../../ui/feedback/Skeleton.tsx'
import { showToast } from '../../../ui/feedback/toasts.ts'
import { Page } from '../../../ui/layout/Page.tsx'
import { ConfirmDialog } from '../../../ui/overlays/ConfirmDialog.tsx'
import { counted, wholeNumber } from '../../../ui/data/amounts.ts'
import { JobProgress } from '../JobProgress.tsx'
import { filesPath, tablePath, useUploadPlace, wizardPath, type UploadPlace } from '../upload-place.ts'
import { UploadGate } from '../UploadGate.tsx'
import styles from '../uploads.module.css'
import { useFile, useJob, useLoads, useRefreshUploads, useUndo } from '../uploads.queries.ts'
import { successText, undoText } from './success-texts.ts'

export function Component() {
  const place = useUploadPlace()
  return (
    <UploadGate place={place}>
      <Page>
        <Success place={place} />
      </Page>
    </UploadGate>
  )
}

function Success({ place }: { place: UploadPlace }) {
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

function Delivered({ place, file }: { place: UploadPlace; file: UploadFile }) {
  const table = file.table_name ?? place.table ?? ''
  const loads = useLoads(place, table === '' ? null : table)
  const load = loads.data?.find((one) => one.file_id === file.file_id && one.mode !== 'undo')
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
  return (
    <>
      <FullNotice
        icon={<CircleCheck />}
        tone="success"
        title={successText(file.mode, table)}
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
        <Counts file={file} load={load} />
      </FullNotice>
      {load && isAsking && <UndoDialog place={place} table={table} load={load} onClose={() => setAsking(false)} />}
    </>
  )
}

type Load = NonNullable<ReturnType<typeof useLoads>['data']>[number]

function Counts({ file, load }: { file: UploadFile; load: Load | undefined }) {
  const quarantined = load?.quarantined_rows ?? 0
  return (
    <>
      <dl className={styles.facts}>
        <div>
          <dt>rows delivered</dt>
          <dd>{wholeNumber(load?.rows ?? file.rows ?? 0)}</dd>
        </div>
        {quarantined > 0 && (
          <div>
            <dt>in quarantine</dt>
            <dd>{wholeNumber(quarantined)}</dd>
          </div>
        )}
      </dl>
      {quarantined > 0
        ? `${counted(quarantined, 'row')} of ${file.original_filename} did not fit and can be downloaded under Files.`
        : `All of ${file.original_filename} arrived.`}
    </>
  )
}

interface UndoProps {
  place: UploadPlace
  table: string
  load: Load
  onClose: () => void
}

function UndoDialog({ place, table, load, onClose }: UndoProps) {
  const undo = useUndo()
  const navigate = useNavigate()
  const refresh = useRefreshUploads()
  const job = useJob(place, undo.data?.job_id ?? null)
  const status = job.data?.status
  const isNew = load.mode === 'new'
  useEffect(() => {
    if (status === undefined || status === 'in_progress') return
    void refresh()
    if (status !== 'completed') return
    showToast({ tone: 'success', text: undoText(load.mode, table) })
    void navigate(isNew ? filesPath(place) : `${tablePath(place, table)}/preview`)
  }, [status, refresh, load.mode, table, navigate, place, isNew])
  const start = () =>
    undo.mutate({
      params: place.address,
      body: {
        integration_trellis_code: place.database,
        schema_name: place.schema,
        table_name: table,
        load_id: load.load_id,
      },
    })
  return (
    <ConfirmDialog
      title="Undo this load?"
      confirmLabel="Undo"
      isBusy={undo.isPending || status === 'in_progress'}
      error={status === 'failed' ? (job.data?.error ?? 'It could not be undone.') : undefined}
      onConfirm={start}
      onClose={onClose}
    >
      {isNew
        ? `The table ${table} is taken away again with its ${counted(load.rows, 'row')}.`
        : load.mode === 'replace'
          ? `${table} gets the rows back that it had before. Changes made to it since then are lost.`
          : `The ${counted(load.rows, 'row')} of this file are taken out of ${table} again.`}
      {status === 'in_progress' && job.data && <JobProgress place={place} job={job.data} note="" />}
      {undo.isError && <Banner tone="danger">{undo.error.message}</Banner>}
    </ConfirmDialog>
  )
}
