import { lazy, Suspense, useState } from 'react'
import type { WorkspaceAddress } from '../../api/workspace-address.ts'
import { Loaded } from '../../app/loading/Loaded.tsx'
import { Button } from '../../ui/actions/Button.tsx'
import { SidePanel } from '../../ui/overlays/SidePanel.tsx'
import { useTriggerStatus } from '../running.queries.ts'
import styles from '../running.module.css'
import { TriggerExplainer } from './TriggerExplainer.tsx'

const SimulatorDialog = lazy(() => import('./SimulatorDialog.tsx'))

interface TriggerPanelProps {
  address: WorkspaceAddress
  block: string
  blocks: readonly { task_block_trellis_code: string; name: string }[]
  onClose: () => void
}

export default function TriggerPanel({ address, block, blocks, onClose }: TriggerPanelProps) {
  const query = useTriggerStatus(address, block)
  const [isAhead, setAhead] = useState(false)
  if (isAhead)
    return (
      <Suspense fallback={null}>
        <SimulatorDialog address={address} blocks={blocks} first={block} onClose={onClose} />
      </Suspense>
    )
  return (
    <SidePanel title="When does it run?" onClose={onClose}>
      <Loaded query={query} subject="The trigger">
        {(status) => (
          <div className={styles.panel}>
            <TriggerExplainer status={status} />
            <div>
              <Button onClick={() => setAhead(true)}>Look 60 days ahead</Button>
            </div>
          </div>
        )}
      </Loaded>
    </SidePanel>
  )
}
