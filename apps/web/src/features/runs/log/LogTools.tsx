import { LOG_LEVELS } from '@trellis/contract/dataflows/dataflow-words'
import { ArrowDownToLine, ChevronDown, ChevronUp, CircleAlert, Copy, Download, Pause, WrapText } from 'lucide-react'
import type { RefObject } from 'react'
import { Button } from '../../../ui/actions/Button.tsx'
import { IconButton } from '../../../ui/actions/IconButton.tsx'
import { shortCount } from '../../../ui/data/amounts.ts'
import { Kbd } from '../../../ui/data/Kbd.tsx'
import { SearchField } from '../../../ui/forms/SearchField.tsx'
import type { LogLevel } from '../run-words.ts'
import styles from './log.module.css'

interface LogToolsProps {
  searchField: RefObject<HTMLDivElement | null>
  text: string
  onText: (text: string) => void
  hits: { index: number; count: number; hasMore: boolean; isFetching: boolean }
  onHit: (step: 1 | -1) => void
  levels: ReadonlySet<LogLevel>
  counts: Readonly<Record<LogLevel, number>>
  onLevel: (level: LogLevel) => void
  hasError: boolean
  onError: () => void
  isFollowing: boolean
  isOver: boolean
  onFollowing: (isFollowing: boolean) => void
  isWrapped: boolean
  onWrapped: (isWrapped: boolean) => void
  onCopy: () => void
  isDownloading: boolean
  onDownload: () => void
}

const LEVEL_LABELS: Record<LogLevel, string> = { INFO: 'Info', DEBUG: 'Debug', WARNING: 'Warning', ERROR: 'Error' }

export function LogTools(props: LogToolsProps) {
  const { hits, text } = props
  return (
    <div className={styles.tools} role="toolbar" aria-label="Log">
      <div className={styles.search} ref={props.searchField}>
        <SearchField
          label="Search the log"
          value={text}
          maxLength={200}
          onChange={(event) => props.onText(event.target.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter') props.onHit(event.shiftKey ? -1 : 1)
            else if (event.key === 'Escape') props.onText('')
          }}
          end={text === '' ? <Kbd keys="/" /> : <HitCount {...hits} />}
        />
        <IconButton
          label="Previous hit"
          icon={<ChevronUp aria-hidden />}
          disabled={hits.count === 0}
          onClick={() => props.onHit(-1)}
        />
        <IconButton
          label="Next hit"
          icon={<ChevronDown aria-hidden />}
          disabled={hits.count === 0}
          onClick={() => props.onHit(1)}
        />
      </div>
      <div className={styles.levels} role="group" aria-label="Levels">
        {LOG_LEVELS.map((level) => (
          <button
            key={level}
            type="button"
            data-level={level}
            aria-pressed={props.levels.has(level)}
            onClick={() => props.onLevel(level)}
          >
            {LEVEL_LABELS[level]} <span>{shortCount(props.counts[level])}</span>
          </button>
        ))}
      </div>
      <Button icon={<CircleAlert aria-hidden />} disabled={!props.hasError} onClick={props.onError}>
        First error
      </Button>
      <span className={styles.end}>
        {!props.isOver && (
          <Button
            icon={props.isFollowing ? <Pause aria-hidden /> : <ArrowDownToLine aria-hidden />}
            onClick={() => props.onFollowing(!props.isFollowing)}
          >
            {props.isFollowing ? 'Pause' : 'Follow'}
          </Button>
        )}
        <IconButton
          label={props.isWrapped ? 'Do not wrap lines' : 'Wrap lines'}
          hint="w"
          icon={<WrapText aria-hidden />}
          aria-pressed={props.isWrapped}
          onClick={() => props.onWrapped(!props.isWrapped)}
        />
        <IconButton label="Copy the lines shown" icon={<Copy aria-hidden />} onClick={props.onCopy} />
        <IconButton
          label="Download the log"
          icon={<Download aria-hidden />}
          disabled={props.isDownloading}
          onClick={props.onDownload}
        />
      </span>
    </div>
  )
}

function HitCount({ index, count, hasMore, isFetching }: LogToolsProps['hits']) {
  const searchText =
    count === 0
      ? isFetching
        ? '…'
        : 'No hit'
      : index === -1
        ? `${count}${hasMore ? '+' : ''} ${count === 1 ? 'hit' : 'hits'}`
        : `${index + 1} of ${count}${hasMore ? '+' : ''}`
  return (
    <span className={styles.hits} role="status">
      {searchText}
    </span>
  )
}
