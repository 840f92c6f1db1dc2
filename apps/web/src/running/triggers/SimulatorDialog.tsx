import { Table2 } from 'lucide-react'
import { useState } from 'react'
import type { WorkspaceAddress } from '../../api/workspace-address.ts'
import { Loaded } from '../../app/loading/Loaded.tsx'
import { Button } from '../../ui/actions/Button.tsx'
import { formatCount } from '../../ui/data/amounts.ts'
import { Banner } from '../../ui/feedback/Banner.tsx'
import { Select } from '../../ui/forms/Select.tsx'
import { Dialog } from '../../ui/overlays/Dialog.tsx'
import { useSimulation } from '../running.queries.ts'
import styles from '../running.module.css'
import { Calendar, DayRuns, DayTable } from './SimulatedDays.tsx'
import { simulatedDays, type SimulationResult } from './simulator-days.ts'
import own from './triggers.module.css'

interface SimulatorProps {
  address: WorkspaceAddress
  blocks: readonly { task_block_trellis_code: string; name: string }[]
  first?: string
  onClose: () => void
}

export default function SimulatorDialog({ address, blocks, first, onClose }: SimulatorProps) {
  const [block, setBlock] = useState(first ?? '')
  const [isTable, setTable] = useState(false)
  const query = useSimulation(address, blocks[0]?.task_block_trellis_code ?? first)
  const getBlockName = (code: string) =>
    blocks.find((candidate) => candidate.task_block_trellis_code === code)?.name ?? code
  return (
    <Dialog title="The next 60 days" size="lg" onClose={onClose}>
      <div className={styles.panel}>
        <div className={styles.bar}>
          <div className={own.pick}>
            <Select
              label="Block"
              placeholder="Every block"
              value={block}
              options={blocks.map((block) => ({ value: block.task_block_trellis_code, label: block.name }))}
              onChange={(event) => setBlock(event.target.value)}
            />
          </div>
          <Button icon={<Table2 aria-hidden />} aria-pressed={isTable} onClick={() => setTable(!isTable)}>
            As a table
          </Button>
        </div>
        <Loaded query={query} subject="The look ahead" skeletonHeights={[260]}>
          {(simulation) => (
            <Ahead simulation={simulation} block={block || null} isTable={isTable} getBlockName={getBlockName} />
          )}
        </Loaded>
      </div>
    </Dialog>
  )
}

interface AheadProps {
  simulation: SimulationResult
  block: string | null
  isTable: boolean
  getBlockName: (code: string) => string
}

function Ahead({ simulation, block, isTable, getBlockName }: AheadProps) {
  const days = simulatedDays(simulation, block)
  const busy = days.filter(({ runs }) => runs.length > 0)
  const [selected, setSelected] = useState<string | null>(null)
  const day = days.find((simulatedDay) => simulatedDay.day === selected) ?? busy[0]
  const all = busy.reduce((sum, { runs }) => sum + runs.length, 0)
  return (
    <>
      <p className={own.words} role="status">
        {all === 0
          ? 'Nothing would run: no schedule leads here.'
          : `${formatCount(all, 'run')} on ${formatCount(busy.length, 'day')}.`}
      </p>
      {simulation.is_cut && (
        <Banner tone="info">There are more runs than are listed: the last days are not complete.</Banner>
      )}
      {simulation.clock_changes.map((change) => (
        <Banner key={change.at + change.zone} tone="warning" title={`The clocks change in ${change.zone}`}>
          {change.in_words}
        </Banner>
      ))}
      {isTable ? (
        <DayTable days={busy} getBlockName={getBlockName} />
      ) : (
        <>
          <Calendar days={days} selected={day?.day} onChoose={setSelected} />
          {day && <DayRuns day={day} getBlockName={getBlockName} />}
        </>
      )}
    </>
  )
}
