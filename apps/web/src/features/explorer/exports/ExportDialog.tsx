import type { ExportJob } from '@trellis/contract/explorer/explorer.schemas'
import { FILE_FORMATS, type FileFormat } from '@trellis/contract/explorer/file-formats'
import { useState } from 'react'
import { getErrorDetail } from '../../../api/api-error.ts'
import { Button } from '../../../ui/actions/Button.tsx'
import { Banner } from '../../../ui/feedback/Banner.tsx'
import { Checkbox, RadioGroup } from '../../../ui/forms/Choices.tsx'
import { Select } from '../../../ui/forms/Select.tsx'
import { Dialog } from '../../../ui/overlays/Dialog.tsx'
import { useOpenDialog } from '../dialogs/dialog-context.ts'
import type { TableAddress } from '../explorer-paths.ts'
import { tableRef } from '../explorer.queries.ts'
import { useStartExport } from '../exports.queries.ts'
import type { RowsView } from '../rows.queries.ts'
import { useExplorer } from '../use-explorer.ts'
import { ExportProgress } from './ExportProgress.tsx'
import styles from './exports.module.css'

const FORMAT_NAMES: Record<FileFormat, string> = {
  csv: 'CSV',
  jsonl: 'JSON lines',
  parquet: 'Parquet',
  xlsx: 'Excel (XLSX)',
}

interface ExportProps {
  address: TableAddress
  view: RowsView | undefined
  onClose: () => void
}

/** Closing the dialog does not cancel the export. */
export default function ExportDialog({ address, view, onClose }: ExportProps) {
  const { params } = useExplorer()
  const open = useOpenDialog()
  const start = useStartExport()
  const [format, setFormat] = useState<FileFormat>('csv')
  const [rows, setRows] = useState('all')
  const [isRaw, setRaw] = useState(false)
  const [job, setJob] = useState<ExportJob | null>(null)
  const [problem, setProblem] = useState<string>()
  const submit = async () => {
    setProblem(undefined)
    try {
      setJob(
        await start.mutateAsync({
          params: { ...params, ...tableRef(address) },
          query: rows === 'all' ? { full_export: 'true' } : {},
          body: {
            format,
            ...(format === 'csv' && isRaw && { is_raw: true }),
            ...(view && view.filters.length > 0 && { filters: [...view.filters] }),
            ...(view?.sort && { sort: view.sort.key, direction: view.sort.direction }),
          },
        }),
      )
    } catch (error) {
      setProblem(getErrorDetail(error))
    }
  }
  return (
    <Dialog
      title={`Export ${address.table}`}
      onClose={onClose}
      footer={
        job === null ? (
          <>
            <Button variant="ghost" onClick={() => open({ kind: 'exports' })}>
              All exports
            </Button>
            <Button onClick={onClose}>Cancel</Button>
            <Button variant="primary" isBusy={start.isPending} onClick={() => void submit()}>
              Start export
            </Button>
          </>
        ) : (
          <Button onClick={onClose}>Close</Button>
        )
      }
    >
      {job === null ? (
        <div className={styles.form}>
          <Select
            label="Format"
            value={format}
            options={FILE_FORMATS.map((fileFormat) => ({ value: fileFormat, label: FORMAT_NAMES[fileFormat] }))}
            onChange={(event) => setFormat(event.target.value as FileFormat)}
            data-autofocus
          />
          <RadioGroup
            label="Rows"
            value={rows}
            onChange={setRows}
            options={[
              { value: 'all', label: view && view.filters.length > 0 ? 'All rows that match the filters' : 'All rows' },
              { value: 'first', label: 'Only the first rows, as in the preview' },
            ]}
          />
          {format === 'csv' && (
            <Checkbox
              label="Raw values"
              hint="Without it, text that a spreadsheet would run as a formula gets an apostrophe in front."
              checked={isRaw}
              onChange={(event) => setRaw(event.target.checked)}
            />
          )}
          {view && (view.filters.length > 0 || view.sort) && (
            <p className={styles.hint}>
              {[
                view.filters.length > 0 &&
                  `The ${view.filters.length === 1 ? 'filter' : 'filters'} of the preview apply.`,
                view.sort && `Ordered by ${view.sort.key}, ${view.sort.direction === 'asc' ? 'rising' : 'falling'}.`,
              ]
                .filter(Boolean)
                .join(' ')}
            </p>
          )}
          {problem && <Banner tone="danger">{problem}</Banner>}
        </div>
      ) : (
        <ExportProgress started={job} />
      )}
    </Dialog>
  )
}
