import { downloadQuarantine } from '@trellis/contract/runs/quarantine.endpoints'
import type { TaskRun } from '@trellis/contract/runs/runs.schemas'
import { CircleCheck, Download } from 'lucide-react'
import { type Dispatch, type SetStateAction, useState } from 'react'
import type { WorkspaceAddress } from '../../../api/workspace-address.ts'
import { getErrorDetail } from '../../../api/api-error.ts'
import { saveFile } from '../../../api/save-file.ts'
import { Loaded } from '../../../app/loading/Loaded.tsx'
import { Button } from '../../../ui/actions/Button.tsx'
import { formatCount } from '../../../ui/data/amounts.ts'
import { Banner } from '../../../ui/feedback/Banner.tsx'
import { EmptyState } from '../../../ui/feedback/EmptyState.tsx'
import { showToast } from '../../../ui/feedback/toasts.ts'
import { ConfirmDialog } from '../../../ui/overlays/ConfirmDialog.tsx'
import { Dialog } from '../../../ui/overlays/Dialog.tsx'
import { useQuarantine, useSettleQuarantine } from '../runs.queries.ts'
import parts from '../../../running/running.module.css'
import styles from '../runs.module.css'
import {
  toRowKey,
  listCorrected,
  setCorrection,
  MAX_ROWS_PER_CALL,
  toResolveBody,
  type BadRow,
  type RowCorrections,
  type Refusal,
} from './row-corrections.ts'
import { QuarantineTable } from './QuarantineTable.tsx'

interface QuarantineProps {
  address: WorkspaceAddress
  run: Pick<TaskRun, 'task_run_trellis_code' | 'block_name'>
  onClose: () => void
}

export default function QuarantineDialog({ address, run, onClose }: QuarantineProps) {
  const query = useQuarantine(address, run.task_run_trellis_code)
  const [mended, setMended] = useState<RowCorrections>({})
  const [isLeaving, setLeaving] = useState(false)
  const unsent = listCorrected(query.data?.rows ?? [], mended).length
  return (
    <>
      {/* Before the dialog: the one that closes last gives the focus back. */}
      {isLeaving && (
        <ConfirmDialog
          title="Discard the corrections?"
          confirmLabel="Discard"
          onConfirm={onClose}
          onClose={() => setLeaving(false)}
        >
          <p>
            {formatCount(unsent, 'corrected row')} {unsent === 1 ? 'was' : 'were'} not retried. What was typed is lost.
          </p>
        </ConfirmDialog>
      )}
      <Dialog
        title={`Rejected rows: ${run.block_name}`}
        size="lg"
        onClose={() => (unsent > 0 ? setLeaving(true) : onClose())}
      >
        <Loaded query={query} subject="The rows" skeletonHeights={[32, 200]}>
          {({ rows, waiting }) =>
            rows.length === 0 ? (
              <EmptyState
                icon={<CircleCheck aria-hidden />}
                title="No rejected rows"
                subtitle="Every row of this run was loaded, or has been handled."
              />
            ) : (
              <WorkList
                address={address}
                run={run}
                rows={rows}
                waiting={waiting}
                mended={mended}
                onMended={setMended}
                more={
                  query.hasNextPage ? { isBusy: query.isFetchingNextPage, ask: () => void query.fetchNextPage() } : null
                }
              />
            )
          }
        </Loaded>
      </Dialog>
    </>
  )
}

interface WorkListProps {
  address: WorkspaceAddress
  run: QuarantineProps['run']
  rows: readonly BadRow[]
  waiting: number
  mended: RowCorrections
  onMended: Dispatch<SetStateAction<RowCorrections>>
  more: { isBusy: boolean; ask: () => void } | null
}

function WorkList({ address, run, rows, waiting, mended, onMended, more }: WorkListProps) {
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const [refused, setRefused] = useState<readonly Refusal[]>([])
  const settle = useSettleQuarantine()
  const open = rows.filter(({ state }) => state === 'waiting')
  const picked = open.filter((row) => selected.has(toRowKey(row)))
  const changed = listCorrected(rows, mended).length
  const params = { ...address, task_run_trellis_code: run.task_run_trellis_code }
  const [isDownloading, setDownloading] = useState(false)
  const download = () => {
    setDownloading(true)
    saveFile(downloadQuarantine, { params }, `${run.block_name} - rejected rows.csv`)
      .catch((error: unknown) =>
        showToast({ tone: 'danger', text: `The rows were not downloaded. ${getErrorDetail(error)}` }),
      )
      .finally(() => setDownloading(false))
  }
  const send = (choice: 'send' | 'dismiss') => {
    settle.mutate(
      { params, body: toResolveBody(choice, picked, mended) },
      {
        onSuccess: (outcome) => {
          setRefused(outcome.refused)
          setSelected(new Set(outcome.refused.map(toRowKey)))
          if (outcome.settled > 0)
            showToast({
              tone: 'success',
              text: `${formatCount(outcome.settled, 'row')} ${choice === 'send' ? 'loaded' : 'dismissed'}.`,
            })
        },
      },
    )
  }
  return (
    <div className={parts.panel}>
      <div className={parts.bar}>
        <span role="status">
          {formatCount(waiting, 'row')} waiting
          {changed > 0 && ` · ${changed} corrected`}
          {picked.length > 0 && ` · ${picked.length} selected`}
        </span>
        <div className={styles.actions}>
          <Button icon={<Download aria-hidden />} isBusy={isDownloading} onClick={download}>
            Download all
          </Button>
          <Button
            disabled={picked.length === 0}
            isBusy={settle.isPending && settle.variables?.body.choice === 'dismiss'}
            onClick={() => send('dismiss')}
          >
            Dismiss
          </Button>
          <Button
            variant="primary"
            disabled={picked.length === 0}
            isBusy={settle.isPending && settle.variables?.body.choice === 'send'}
            onClick={() => send('send')}
          >
            Retry
          </Button>
        </div>
      </div>
      {picked.length > MAX_ROWS_PER_CALL && (
        <Banner tone="info">The first {MAX_ROWS_PER_CALL} of them go at once; the others stay selected.</Banner>
      )}
      {refused.length > 0 && (
        <Banner
          tone="warning"
          title={`${formatCount(refused.length, 'row')} still ${refused.length === 1 ? 'does' : 'do'} not fit`}
        >
          Each row shows what is wrong.
        </Banner>
      )}
      {settle.error && <Banner tone="danger">{getErrorDetail(settle.error)}</Banner>}
      <QuarantineTable
        rows={rows}
        selected={selected}
        mended={mended}
        isBusy={settle.isPending}
        refused={refused}
        onChoose={setSelected}
        onMend={(row, column, value) => {
          onMended((old) => setCorrection(old, row, { column, value }))
          setSelected((old) => new Set([...old, toRowKey(row)]))
        }}
      />
      {more && (
        <div>
          <Button isBusy={more.isBusy} onClick={more.ask}>
            Show more rows
          </Button>
        </div>
      )}
    </div>
  )
}
