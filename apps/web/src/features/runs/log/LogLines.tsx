import { useEffect, useLayoutEffect, useRef, type Ref } from 'react'
import { useVirtual } from '../../../ui/grid/use-virtual.ts'
import { findLineIndex, type Line } from './log-store.ts'
import styles from './log.module.css'

const LINE = 20

export interface LinesHandle {
  /** The next visible line when its level is hidden. */
  goTo(number: number): void
}

interface LogLinesProps {
  handle: Ref<LinesHandle>
  lines: readonly Line[]
  current: number | null
  search: string
  isWrapped: boolean
  isFollowing: boolean
  onFollowing: (isFollowing: boolean) => void
  onLine: (number: number) => void
}

/** Virtualized: up to 200,000 lines. */
export function LogLines({
  handle,
  lines,
  current,
  search,
  isWrapped,
  isFollowing,
  onFollowing,
  onLine,
}: LogLinesProps) {
  const containerRef = useRef<HTMLDivElement>(null)
  const virtual = useVirtual({
    count: lines.length,
    getScrollElement: () => containerRef.current,
    estimateSize: () => LINE,
    getItemKey: (index) => lines[index]?.number ?? index,
    overscan: 20,
    initialRect: { width: 1000, height: 800 },
  })
  useEffect(() => virtual.measure(), [isWrapped, virtual])
  useLayoutEffect(() => {
    if (isFollowing && lines.length > 0) virtual.scrollToIndex(lines.length - 1, { align: 'end' })
  }, [isFollowing, lines, virtual])
  const goTo = (number: number) =>
    virtual.scrollToIndex(Math.min(lines.length - 1, findLineIndex(lines, number)), { align: 'center' })
  useLayoutEffect(() => {
    const given = { goTo }
    if (typeof handle === 'function') handle(given)
    else if (handle) handle.current = given
  })
  const stopOnLook = () => {
    const element = containerRef.current
    if (!element || !isFollowing) return
    if (element.scrollHeight - element.scrollTop - element.clientHeight > LINE * 4) onFollowing(false)
  }
  return (
    <div
      ref={containerRef}
      className={styles.lines}
      data-wrap={isWrapped}
      role="group"
      aria-label="Lines of the log"
      tabIndex={0}
      onWheel={(event) => event.deltaY < 0 && onFollowing(false)}
      onScroll={stopOnLook}
    >
      <div style={{ height: virtual.getTotalSize(), position: 'relative' }}>
        {virtual.getVirtualItems().map((item) => {
          const line = lines[item.index]
          if (!line) return null
          return (
            <div
              key={item.key}
              ref={isWrapped ? virtual.measureElement : undefined}
              data-index={item.index}
              data-level={line.level}
              data-current={line.number === current}
              className={styles.line}
              style={{ transform: `translateY(${item.start}px)` }}
            >
              <button
                type="button"
                tabIndex={-1}
                className={styles.number}
                aria-label={`Link to line ${line.number}`}
                onClick={() => onLine(line.number)}
              >
                {line.number}
              </button>
              <time className={styles.time} dateTime={line.at} title={line.at}>
                {formatTime(line.at)}
              </time>
              <span className={styles.level}>{line.level}</span>
              <span className={styles.message}>
                {line.subtask && <span className={styles.subtask}>{line.subtask} </span>}
                <Marked text={line.message} search={search} />
              </span>
            </div>
          )
        })}
      </div>
    </div>
  )
}

function formatTime(loggedAt: string): string {
  const when = new Date(loggedAt)
  const two = (value: number) => String(value).padStart(2, '0')
  return `${two(when.getHours())}:${two(when.getMinutes())}:${two(when.getSeconds())}.${String(when.getMilliseconds()).padStart(3, '0')}`
}

function Marked({ text, search }: { text: string; search: string }) {
  if (search === '') return text
  const parts: string[] = []
  const low = text.toLowerCase()
  const searchTerm = search.toLowerCase()
  let from = 0
  for (let index = low.indexOf(searchTerm); index !== -1; index = low.indexOf(searchTerm, from)) {
    parts.push(text.slice(from, index), text.slice(index, index + searchTerm.length))
    from = index + searchTerm.length
  }
  parts.push(text.slice(from))
  return parts.map((part, index) => (index % 2 === 1 ? <mark key={index}>{part}</mark> : part))
}
