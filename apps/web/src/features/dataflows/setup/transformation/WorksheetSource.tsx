import type { BlockWorksheet } from '@trellis/contract/worksheets/scheduled.schemas'
import { useState } from 'react'
import { Link } from 'react-router'
import { Loaded } from '../../../../app/loading/Loaded.tsx'
import { Button } from '../../../../ui/actions/Button.tsx'
import { Banner } from '../../../../ui/feedback/Banner.tsx'
import { ConfirmDialog } from '../../../../ui/overlays/ConfirmDialog.tsx'
import {
  useBlockWorksheet,
  useUnlinkWorksheet,
  useUpdateFromWorksheet,
} from '../../../worksheets/scheduled/scheduled.queries.ts'
import { useDraft } from '../draft/use-block-draft.ts'
import styles from '../setup.module.css'

const STATE_LABELS = {
  latest: 'A push of the worksheet updates this block.',
  behind: 'A newer version of the worksheet was published.',
  deleted: 'The worksheet is deleted. The block keeps its last version.',
} as const

export function WorksheetSource() {
  const { block, store, isDisabled } = useDraft()
  const code = block.task_block_trellis_code
  const { query, getPath } = useBlockWorksheet(code)
  const update = useUpdateFromWorksheet(code)
  const unlink = useUnlinkWorksheet(code)
  const [isAsking, setAsking] = useState(false)
  // Saves first: the call refers to the draft's version.
  const afterSaving = (run: (version: number, onSuccess: () => void) => void) =>
    void store.flush().then(() => run(store.get().block.version, () => void store.refresh()))
  return (
    <Loaded query={query} subject="The worksheet" skeletonHeights={[64]}>
      {(worksheet) => (
        <>
          <Banner tone={worksheet.state === 'latest' ? 'info' : 'warning'} title={toTitle(worksheet)}>
            <span>
              {STATE_LABELS[worksheet.state]} {!isDisabled && 'Unlink it to edit the SQL here.'}
            </span>
            <div className={styles.buttons}>
              {worksheet.state !== 'deleted' && <Link to={getPath(worksheet)}>Open in worksheet</Link>}
              {worksheet.state === 'behind' && !isDisabled && (
                <Button size="sm" isBusy={update.isPending} onClick={() => afterSaving(update.run)}>
                  Update to the published version
                </Button>
              )}
              {!isDisabled && (
                <Button size="sm" isBusy={unlink.isPending} onClick={() => setAsking(true)}>
                  Unlink
                </Button>
              )}
            </div>
          </Banner>
          {isAsking && (
            <ConfirmDialog
              title="Unlink the worksheet?"
              confirmLabel="Unlink"
              onConfirm={() => {
                setAsking(false)
                afterSaving(unlink.run)
              }}
              onClose={() => setAsking(false)}
            >
              <p>The block keeps its SQL. Later versions of the worksheet no longer change it.</p>
            </ConfirmDialog>
          )}
        </>
      )}
    </Loaded>
  )
}

const toTitle = ({ path, project_name, commit }: BlockWorksheet): string => {
  const worksheetPath = project_name === '' ? path : `${path} (${project_name})`
  return `From worksheet ${worksheetPath}${commit ? `, version ${commit.commit_id.slice(0, 7)}` : ''}`
}
