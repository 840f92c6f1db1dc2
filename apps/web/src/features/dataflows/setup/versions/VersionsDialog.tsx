import type { BlockVersion } from '@trellis/contract/runs/versions.schemas'
import { useState } from 'react'
import { Loaded } from '../../../../app/loading/Loaded.tsx'
import { Button } from '../../../../ui/actions/Button.tsx'
import { DateTime } from '../../../../ui/data/DateTime.tsx'
import { Banner } from '../../../../ui/feedback/Banner.tsx'
import { Badge } from '../../../../ui/feedback/Status.tsx'
import { showToast } from '../../../../ui/feedback/toasts.ts'
import { Select } from '../../../../ui/forms/Select.tsx'
import { Dialog } from '../../../../ui/overlays/Dialog.tsx'
import { useDataflowsScope } from '../../dataflows.queries.ts'
import type { Block, Parts } from '../draft/block-kinds.ts'
import { useRestoreVersion, useVersions } from '../setup.queries.ts'
import { Comparison } from './Comparison.tsx'
import styles from './versions.module.css'

interface DialogProps {
  block: Block
  onClose: () => void
  onRestored: () => void
}

export default function VersionsDialog({ block, onClose, onRestored }: DialogProps) {
  const versions = useVersions(block.task_block_trellis_code)
  return (
    <Dialog size="lg" title={`Versions of ${block.name}`} onClose={onClose}>
      <Loaded query={versions} subject="The versions" skeletonHeights={[48, 48, 120]}>
        {(all) =>
          all.length === 0 ? (
            <p className={styles.soft}>It has not been published yet. Every published version is listed here.</p>
          ) : (
            <Versions all={all} block={block} onRestored={onRestored} onClose={onClose} />
          )
        }
      </Loaded>
    </Dialog>
  )
}

function Versions({ all, block, onRestored, onClose }: DialogProps & { all: readonly BlockVersion[] }) {
  const { address, canWrite } = useDataflowsScope()
  const restore = useRestoreVersion()
  const [selected, setSelected] = useState(all[0]?.version ?? 0)
  const [against, setAgainst] = useState('draft')
  const [isAsking, setAsking] = useState(false)
  const version = all.find((candidate) => candidate.version === selected)
  const number = version?.number ?? 0
  const compared = all.find((candidate) => String(candidate.version) === against)
  const other = against === 'draft' ? block.settings : compared?.settings
  const restoreVersion = () =>
    restore.mutate(
      {
        params: { ...address, task_block_trellis_code: block.task_block_trellis_code },
        body: { version: selected, draft_version: block.version },
      },
      {
        onSuccess: () => {
          showToast({ tone: 'success', text: `Version ${number} is the draft now. Publish it to make it run.` })
          onRestored()
          onClose()
        },
        onSettled: () => setAsking(false),
      },
    )
  return (
    <div className={styles.versions}>
      <ol className={styles.list} aria-label="Versions">
        {all.map((item) => (
          <li key={item.version}>
            <button
              type="button"
              aria-current={item.version === selected}
              onClick={() => {
                setSelected(item.version)
                setAsking(false)
              }}
            >
              <span>
                Version {item.number} {item.is_live && <Badge tone="success">Live</Badge>}
              </span>
              <small>
                <DateTime value={item.published_at} format="recent" /> by {item.published_by ?? 'somebody who left'}
              </small>
              {item.message && <small className={styles.message}>{item.message}</small>}
            </button>
          </li>
        ))}
      </ol>
      <div className={styles.stack}>
        {restore.error && (
          <Banner tone="danger" title="The version was not brought back">
            {restore.error.message}
          </Banner>
        )}
        <div className={styles.bar}>
          <Select
            label="Compare with"
            value={against}
            options={[
              { value: 'draft', label: 'The draft' },
              ...all
                .filter((item) => item.version !== selected)
                .map((item) => ({ value: String(item.version), label: `Version ${item.number}` })),
            ]}
            onChange={(event) => setAgainst(event.target.value)}
          />
          {canWrite && (
            <Button disabled={isAsking} onClick={() => setAsking(true)}>
              Restore version {number}
            </Button>
          )}
        </div>
        {isAsking && (
          <Banner
            tone="warning"
            title={`Restore version ${number}?`}
            action={
              <>
                <Button size="sm" disabled={restore.isPending} onClick={() => setAsking(false)}>
                  Cancel
                </Button>
                <Button size="sm" variant="primary" isBusy={restore.isPending} onClick={restoreVersion}>
                  Restore
                </Button>
              </>
            }
          >
            The draft is replaced by version {number}; what was changed in it and never published is lost. What runs
            stays the live version until you publish.
          </Banner>
        )}
        <Comparison
          before={{ title: `Version ${number}`, settings: (version?.settings ?? {}) as Parts }}
          after={{
            title: against === 'draft' ? 'Draft' : `Version ${compared?.number ?? ''}`,
            settings: (other ?? {}) as Parts,
          }}
        />
      </div>
    </div>
  )
}
