import { downloadBadRows } from '@trellis/contract/uploads/uploads.endpoints'
import type { UploadFile } from '@trellis/contract/uploads/uploads.schemas'
import { FileSpreadsheet, FileText, Upload } from 'lucide-react'
import { useMemo, useState } from 'react'
import { useNavigate } from 'react-router'
import { saveFile } from '../../api/save-file.ts'
import { ButtonLink } from '../../ui/actions/Button.tsx'
import { DataTable, type Column } from '../../ui/data/DataTable.tsx'
import { DateTime } from '../../ui/data/DateTime.tsx'
import { RowActions } from '../../ui/data/RowActions.tsx'
import { useUrlTableState } from '../../ui/data/use-table-state.ts'
import { EmptyState } from '../../ui/feedback/EmptyState.tsx'
import { ErrorPanel } from '../../ui/feedback/ErrorPanel.tsx'
import { Loading, Skeleton } from '../../ui/feedback/Skeleton.tsx'
import { StatusDot } from '../../ui/feedback/Status.tsx'
import { showToast } from '../../ui/feedback/toasts.ts'
import { ConfirmDialog } from '../../ui/overlays/ConfirmDialog.tsx'
import { wholeNumber, formatBytes } from '../../ui/data/amounts.ts'
import { RunningJobs } from './RunningJobs.tsx'
import { successPath, tablePath, useUploadPlace, wizardPath, type UploadScope } from './upload-scope.ts'
import { UploadGate } from './UploadGate.tsx'
import styles from './uploads.module.css'
import { useDeleteFile, useSchemaFiles } from './uploads.queries.ts'
import { isOpenFile, getRowCount, formatUploadState } from './wizard.ts'

export function Component() {
  const scope = useUploadPlace()
  return (
    <UploadGate scope={scope}>
      <div className={styles.stack}>
        <RunningJobs scope={scope} />
        <Files scope={scope} />
      </div>
    </UploadGate>
  )
}

function Files({ scope }: { scope: UploadScope }) {
  const files = useSchemaFiles(scope)
  if (files.isError) {
    return (
      <ErrorPanel
        title="The files could not be loaded"
        detail={files.error.message}
        reference={files.error.requestId}
        isRetrying={files.isFetching}
        onRetry={() => void files.refetch()}
      />
    )
  }
  if (!files.data) {
    return (
      <Loading label="Loading the files" className={styles.ghosts}>
        <Skeleton width={300} height={32} />
        <Skeleton height={40} />
        <Skeleton height={40} />
        <Skeleton height={40} />
      </Loading>
    )
  }
  if (files.data.length === 0) {
    return (
      <EmptyState
        icon={<Upload />}
        title="No files yet"
        subtitle="Upload a CSV, Excel, JSON lines or Parquet file. You see its columns and the rows that do not fit before anything is saved."
        action={<ButtonLink to={wizardPath(scope, { mode: 'new', table: null })}>Upload a file</ButtonLink>}
      />
    )
  }
  return <FilesTable scope={scope} files={files.data} />
}

function FilesTable({ scope, files }: { scope: UploadScope; files: readonly UploadFile[] }) {
  const state = useUrlTableState()
  const navigate = useNavigate()
  const [deleting, setDeleting] = useState<UploadFile | null>(null)
  const getFilePath = (file: UploadFile) => {
    const to = { mode: file.mode, table: file.table_name, fileId: file.file_id }
    return isOpenFile(file) ? wizardPath(scope, to) : successPath(scope, to)
  }
  const columns = useMemo<Column<UploadFile>[]>(
    () => [
      {
        key: 'name',
        title: 'File',
        sortBy: (file) => file.original_filename,
        cell: (file) => <FileName file={file} />,
      },
      {
        key: 'state',
        title: 'State',
        width: 132,
        sortBy: (file) => formatUploadState(file).text,
        cell: (file) => <StatusDot tone={formatUploadState(file).tone}>{formatUploadState(file).text}</StatusDot>,
      },
      {
        key: 'size',
        title: 'Size',
        width: 100,
        isNumber: true,
        isSecondary: true,
        sortBy: (file) => file.size_bytes,
        cell: (file) => formatBytes(file.size_bytes),
      },
      {
        key: 'rows',
        title: 'Rows',
        width: 100,
        isNumber: true,
        isSecondary: true,
        sortBy: getRowCount,
        cell: (file) => {
          const rows = getRowCount(file)
          return rows === null ? '' : wholeNumber(rows)
        },
      },
      {
        key: 'by',
        title: 'Uploaded by',
        width: 150,
        isSecondary: true,
        sortBy: (file) => file.uploaded_by,
        cell: (file) => file.uploaded_by ?? '',
      },
      {
        key: 'at',
        title: 'Sent',
        width: 130,
        isSecondary: true,
        sortBy: (file) => new Date(file.created_at),
        cell: (file) => <DateTime value={file.created_at} format="recent" />,
      },
      {
        key: 'actions',
        title: '',
        width: 56,
        cell: (file) => (
          <RowActions label={`Actions for ${file.original_filename}`} groups={buildActions(scope, file, setDeleting)} />
        ),
      },
    ],
    [scope],
  )
  return (
    <>
      <DataTable
        label="Files"
        rows={files}
        columns={columns}
        rowKey={(file) => file.file_id}
        searchText={(file) => `${file.original_filename} ${file.table_name ?? ''} ${file.uploaded_by ?? ''}`}
        state={state}
        onOpen={(file) => void navigate(getFilePath(file))}
      />
      {deleting && <DeleteDialog scope={scope} file={deleting} onClose={() => setDeleting(null)} />}
    </>
  )
}

function buildActions(scope: UploadScope, file: UploadFile, onDelete: (file: UploadFile) => void) {
  const table = file.table_name
  const params = { ...scope.address, integration_trellis_code: scope.database, file_id: file.file_id }
  const badRow = file.validation?.bad_rows ?? 0
  return [
    [
      ...(isOpenFile(file)
        ? [{ label: 'Go on', to: wizardPath(scope, { mode: file.mode, table, fileId: file.file_id }) }]
        : table === null
          ? []
          : [{ label: 'Look at the rows', to: `${tablePath(scope, table)}/preview` }]),
      ...(badRow > 0
        ? [
            {
              label: 'Download bad rows',
              note: wholeNumber(badRow),
              onSelect: () =>
                void saveFile(downloadBadRows, { params }, `${file.original_filename} - bad rows.csv`).catch(
                  (error: Error) => showToast({ tone: 'danger', text: error.message }),
                ),
            },
          ]
        : []),
    ],
    [{ label: 'Delete', isDanger: true, onSelect: () => onDelete(file) }],
  ].filter((group) => group.length > 0)
}

function FileName({ file }: { file: UploadFile }) {
  const Icon = /\.(xlsx|parquet)$/i.test(file.original_filename) ? FileSpreadsheet : FileText
  return (
    <span className={styles.file}>
      <Icon aria-hidden />
      <span>
        {file.original_filename}
        <span className={styles.note}>
          {file.table_name === null ? 'new table' : `${file.mode} · ${file.table_name}`}
        </span>
      </span>
    </span>
  )
}

function DeleteDialog({ scope, file, onClose }: { scope: UploadScope; file: UploadFile; onClose: () => void }) {
  const remove = useDeleteFile()
  const params = { ...scope.address, integration_trellis_code: scope.database, file_id: file.file_id }
  return (
    <ConfirmDialog
      title={`Delete ${file.original_filename}?`}
      isBusy={remove.isPending}
      error={remove.error?.message}
      onConfirm={() => remove.mutate({ params }, { onSuccess: onClose })}
      onClose={onClose}
    >
      {isOpenFile(file)
        ? 'What was sent is lost, and what you set for it. No table has got anything from it.'
        : 'The file and its list of bad rows are lost. Tables keep the rows they got from it.'}
    </ConfirmDialog>
  )
}
