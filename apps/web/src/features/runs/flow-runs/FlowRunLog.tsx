import { LOG_LEVELS } from '@trellis/contract/dataflows/dataflow-words'
import type { FlowRunDetails, FlowRunLogLine } from '@trellis/contract/runs/flow-runs.schemas'
import { useMemo, useRef, useState } from 'react'
import type { WorkspaceAddress } from '../../../api/workspace-address.ts'
import { Loaded } from '../../../app/loading/Loaded.tsx'
import { formatCount } from '../../../ui/data/amounts.ts'
import { SearchField } from '../../../ui/forms/SearchField.tsx'
import { LogLines, type LinesHandle } from '../log/LogLines.tsx'
import logStyles from '../log/log.module.css'
import type { LogLevel } from '../run-words.ts'
import { useFlowRunLog } from './flow-runs.queries.ts'

const LEVEL_LABELS: Record<LogLevel, string> = { INFO: 'Info', DEBUG: 'Debug', WARNING: 'Warning', ERROR: 'Error' }

interface FlowRunLogProps {
  address: WorkspaceAddress
  flowRun: FlowRunDetails
}

export default function FlowRunLog({ address, flowRun }: FlowRunLogProps) {
  const isRunning = flowRun.state === 'running'
  const query = useFlowRunLog(address, flowRun)
  const [hidden, setHidden] = useState<ReadonlySet<LogLevel>>(new Set(['DEBUG']))
  const [search, setSearch] = useState('')
  const [isFollowing, setFollowing] = useState(isRunning)
  const [current, setCurrent] = useState<number | null>(null)
  const handle = useRef<LinesHandle>(null)
  const toggle = (level: LogLevel) =>
    setHidden(hidden.has(level) ? new Set([...hidden].filter((item) => item !== level)) : new Set([...hidden, level]))
  const all = query.data?.lines
  const lines = useMemo(() => toLines(all ?? [], hidden, search), [all, hidden, search])
  return (
    <section className={logStyles.pane} aria-label="Log of all blocks">
      <div className={logStyles.tools} role="toolbar" aria-label="Log">
        <div className={logStyles.search}>
          <SearchField
            label="Search the log"
            value={search}
            maxLength={200}
            onChange={(event) => setSearch(event.target.value)}
          />
        </div>
        <div className={logStyles.levels} role="group" aria-label="Levels">
          {LOG_LEVELS.map((level) => (
            <button key={level} type="button" aria-pressed={!hidden.has(level)} onClick={() => toggle(level)}>
              {LEVEL_LABELS[level]}
            </button>
          ))}
        </div>
      </div>
      <Loaded query={query} subject="The log" skeletonHeights={[200]}>
        {({ isOver }) =>
          lines.length === 0 ? (
            <p className={logStyles.none} role="status">
              {isOver && !isRunning ? 'No line to show.' : 'Waiting for the first line …'}
            </p>
          ) : (
            <>
              <LogLines
                handle={handle}
                lines={lines}
                current={current}
                search={search}
                isWrapped={false}
                isFollowing={isFollowing && isRunning}
                onFollowing={setFollowing}
                onLine={setCurrent}
              />
              <p className={logStyles.foot} role="status">
                {formatCount(lines.length, 'line')} · {isOver && !isRunning ? 'complete' : 'live'}
              </p>
            </>
          )
        }
      </Loaded>
    </section>
  )
}

/** Numbered across blocks; the block precedes the subtask. */
function toLines(lines: readonly FlowRunLogLine[], hidden: ReadonlySet<LogLevel>, search: string) {
  const searchTerm = search.trim().toLowerCase()
  return lines
    .map((line, index) => ({
      ...line,
      number: index + 1,
      subtask: line.subtask === null ? line.block_name : `${line.block_name} · ${line.subtask}`,
    }))
    .filter(
      ({ level, message, subtask }) =>
        !hidden.has(level) && (searchTerm === '' || `${subtask} ${message}`.toLowerCase().includes(searchTerm)),
    )
}
