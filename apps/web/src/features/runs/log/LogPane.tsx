import { downloadTaskRunLogs } from '@trellis/contract/runs/runs.endpoints'
import { useEffect, useRef, useState, type KeyboardEvent } from 'react'
import type { WorkspaceAddress } from '../../../api/workspace-address.ts'
import { getErrorDetail } from '../../../api/api-error.ts'
import { saveFile } from '../../../api/save-file.ts'
import { formatCount } from '../../../ui/data/amounts.ts'
import { useAddress } from '../../../ui/data/use-address.ts'
import { useSettled } from '../../../ui/data/use-settled.ts'
import { useUrlText } from '../../../ui/data/use-url-text.ts'
import { Banner } from '../../../ui/feedback/Banner.tsx'
import { showToast } from '../../../ui/feedback/toasts.ts'
import { LogLines, type LinesHandle } from './LogLines.tsx'
import { LogTools } from './LogTools.tsx'
import { formatLine, findLineIndex, type Line } from './log-store.ts'
import styles from './log.module.css'
import { useLog, useLogHits } from './use-log.ts'

/** More lines on the clipboard freeze browsers; the download is complete. */
const MAX_COPIED_LINES = 20_000

export default function LogPane({ address, run, isOpen }: { address: WorkspaceAddress; run: string; isOpen: boolean }) {
  const { params, put } = useAddress()
  const wantedLine = Number(params.get('line') ?? 0)
  const [text, setText] = useUrlText('find')
  const search = useSettled(text.trim(), 200)
  const { view, levels, toggle, showAll, following } = useLog(address, run, { showsAll: wantedLine > 0 })
  const hits = useLogHits(address, run, search)
  const [isFollowing, setFollowing] = useState(isOpen && wantedLine === 0)
  const [isWrapped, setWrapped] = useState(() => window.matchMedia('(max-width: 599px)').matches)
  const [isDownloading, setDownloading] = useState(false)
  const lines = useRef<LinesHandle>(null)
  const field = useRef<HTMLDivElement>(null)
  const isOver = following.state === 'over'
  const current = wantedLine > 0 ? wantedLine : null

  const goTo = (number: number) => {
    setFollowing(false)
    put({ line: String(number) })
    lines.current?.goTo(number)
  }
  const isThere = (view.shown.at(-1)?.number ?? 0) >= wantedLine
  const hasGone = useRef(false)
  useEffect(() => {
    if (hasGone.current || wantedLine === 0 || !isThere || view.shown.length === 0) return
    hasGone.current = true
    lines.current?.goTo(wantedLine)
  }, [wantedLine, isThere, view.shown.length])

  const onHit = (step: 1 | -1) => {
    if (hits.lines.length === 0) return
    const from = findLineIndex(hits.lines, (current ?? 0) + (step === 1 ? 1 : 0))
    const line = hits.lines[(from + (step === 1 ? 0 : -1) + hits.lines.length) % hits.lines.length]
    if (!line) return
    if (!levels.has(line.level)) showAll()
    goTo(line.number)
  }
  const onError = () => {
    if (!view.firstError) return
    if (!levels.has('ERROR')) toggle('ERROR')
    goTo(view.firstError.number)
  }
  const step = (by: number) => {
    const index = current === null ? (by > 0 ? -1 : view.shown.length) : findLineIndex(view.shown, current)
    const line = view.shown[Math.min(view.shown.length - 1, Math.max(0, index + by))]
    if (line) goTo(line.number)
  }
  const download = () => {
    setDownloading(true)
    const params = { ...address, task_run_trellis_code: run }
    saveFile(downloadTaskRunLogs, { params }, `run-${run}.log`)
      .catch((error: unknown) =>
        showToast({ tone: 'danger', text: `The log was not downloaded. ${getErrorDetail(error)}` }),
      )
      .finally(() => setDownloading(false))
  }
  const keys: Record<string, () => void> = {
    '/': () => field.current?.querySelector('input')?.focus(),
    n: () => onHit(1),
    N: () => onHit(-1),
    e: onError,
    f: () => setFollowing(!isFollowing),
    w: () => setWrapped(!isWrapped),
    j: () => step(1),
    k: () => step(-1),
    ArrowDown: () => step(1),
    ArrowUp: () => step(-1),
    End: () => setFollowing(true),
    Home: () => {
      setFollowing(false)
      lines.current?.goTo(0)
    },
    c: () => {
      const line = view.shown[findLineIndex(view.shown, current ?? 0)]
      if (line && current !== null) copy([line])
    },
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const isTyping = event.target instanceof HTMLInputElement
    const isButton = event.target instanceof HTMLButtonElement
    const act = keys[event.key]
    if (
      !act ||
      isTyping ||
      event.ctrlKey ||
      event.metaKey ||
      event.altKey ||
      (isButton && event.key.startsWith('Arrow'))
    )
      return
    event.preventDefault()
    act()
  }
  return (
    <div className={styles.pane} onKeyDown={onKeyDown}>
      <LogTools
        searchField={field}
        text={text}
        onText={setText}
        hits={{
          index: hits.lines.findIndex(({ number }) => number === current),
          count: hits.lines.length,
          hasMore: hits.hasMore,
          isFetching: hits.isFetching,
        }}
        onHit={onHit}
        levels={levels}
        counts={view.counts}
        onLevel={toggle}
        hasError={view.firstError !== undefined}
        onError={onError}
        isFollowing={isFollowing}
        isOver={isOver}
        onFollowing={setFollowing}
        isWrapped={isWrapped}
        onWrapped={setWrapped}
        onCopy={() => copy(view.shown.slice(-MAX_COPIED_LINES))}
        isDownloading={isDownloading}
        onDownload={download}
      />
      {following.state === 'refused' && (
        <Banner tone="danger" title="The log could not be read">
          {following.error?.detail}
        </Banner>
      )}
      {view.dropped > 0 && (
        <Banner tone="info">
          The first {formatCount(view.dropped, 'line')} are not shown any more. The download has the whole log.
        </Banner>
      )}
      {view.shown.length === 0 ? (
        <p className={styles.none} role="status">
          {view.count > 0
            ? 'No line of the chosen levels.'
            : isOver
              ? 'This run wrote no log.'
              : 'Waiting for the first line …'}
        </p>
      ) : (
        <LogLines
          handle={lines}
          lines={view.shown}
          current={current}
          search={search}
          isWrapped={isWrapped}
          isFollowing={isFollowing && !isOver}
          onFollowing={setFollowing}
          onLine={goTo}
        />
      )}
      <p className={styles.foot} role="status">
        {formatCount(view.count, 'line')}
        {' · '}
        {isOver ? 'complete' : following.state === 'live' ? 'live' : 'connecting …'}
      </p>
    </div>
  )
}

function copy(lines: readonly Line[]): void {
  void navigator.clipboard
    .writeText(lines.map(formatLine).join('\n'))
    .then(() => showToast({ tone: 'success', text: `${formatCount(lines.length, 'line')} copied.` }))
}
