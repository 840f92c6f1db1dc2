import type { FrameRows, ParameterValues } from '@trellis/contract/sparks/spark-bridge.schemas'
import type { SparkContent } from '@trellis/contract/sparks/spark-content.schemas'
import { RotateCw } from 'lucide-react'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { Button } from '../ui/actions/Button.tsx'
import { Banner } from '../ui/feedback/Banner.tsx'
import { Loading, Skeleton } from '../ui/feedback/Skeleton.tsx'
import { readFrameTheme, readThemeMode, watchTheme } from './frame-theme.ts'
import { type FrameHost, hostFrame, type StopReason } from './host-frame.ts'
import styles from './spark-frame.module.css'

/** Must match `frame-src` of the page's CSP. */
const FRAME_URL = '/spark-frame'
const MAX_HEIGHT = 20_000

const STOPPED: Record<StopReason, { title: string; text: string }> = {
  flood: {
    title: 'This spark was stopped',
    text: 'Its code sent more messages than a spark may. Reload it, or ask its author to look at the code.',
  },
  stuck: {
    title: 'This spark is not responding',
    text: 'Its code keeps the frame busy. The rest of this page works on.',
  },
  left: {
    title: 'This spark was stopped',
    text: 'Its code tried to load another page, which sparks may not do.',
  },
}

interface SparkFrameProps {
  label: string
  content: SparkContent
  parameters: ParameterValues
  refreshes?: number
  readRows: (source: string, parameters: ParameterValues) => Promise<FrameRows>
  onParameters: (parameters: ParameterValues) => void
  /** Fixed with a scrollbar; undefined fits the content. */
  height?: number | undefined
}

/** Isolates a spark: an opaque origin without network. Rows arrive by messages only. */
export function SparkFrame(props: SparkFrameProps) {
  const [stopped, setStopped] = useState<StopReason | null>(null)
  const [attempt, setAttempt] = useState(0)
  const reload = () => {
    setStopped(null)
    setAttempt((before) => before + 1)
  }
  if (stopped !== null) {
    return (
      <Banner
        tone="danger"
        title={STOPPED[stopped].title}
        action={
          <Button size="sm" icon={<RotateCw aria-hidden />} onClick={reload}>
            Reload
          </Button>
        }
      >
        {STOPPED[stopped].text}
      </Banner>
    )
  }
  // A new frame for new code, so that nothing of the old code remains.
  const { body } = props.content
  return <LiveFrame key={`${attempt} ${body.kind === 'code' ? body.code : ''}`} {...props} onStop={setStopped} />
}

function LiveFrame(props: SparkFrameProps & { onStop: (reason: StopReason) => void }) {
  const { label, content, parameters, refreshes = 0, height: fixedHeight } = props
  // The theme in the URL avoids a white flash; a changed URL would reload the frame.
  const [url] = useState(() => `${FRAME_URL}#${readThemeMode()}`)
  const frame = useRef<HTMLIFrameElement>(null)
  const host = useRef<FrameHost | null>(null)
  const [height, setHeight] = useState(240)
  const [isReady, setReady] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)
  const told = useRef('')
  const getStart = useEffectEvent(() => {
    told.current = JSON.stringify(props.parameters)
    return { content: props.content, parameters: props.parameters, theme: readFrameTheme(readThemeMode()) }
  })
  const readRows = useEffectEvent(props.readRows)
  const onParameters = useEffectEvent((next: ParameterValues) => {
    const merged = { ...props.parameters, ...next }
    told.current = JSON.stringify(merged)
    props.onParameters(merged)
  })
  const onStop = useEffectEvent(props.onStop)
  useEffect(() => {
    const openedFrameHost = hostFrame({
      getFrame: () => frame.current?.contentWindow ?? null,
      getStart: () => getStart(),
      readRows: (source, values) => readRows(source, values),
      onParameters: (values) => onParameters(values),
      onHeight: (pixels) => setHeight(Math.min(MAX_HEIGHT, pixels)),
      onFailed: setFailure,
      onReady: () => setReady(true),
      onStop: (reason) => onStop(reason),
    })
    host.current = openedFrameHost
    const unwatch = watchTheme(() => openedFrameHost.send({ kind: 'theme', theme: readFrameTheme(readThemeMode()) }))
    return () => {
      unwatch()
      openedFrameHost.close()
    }
  }, [])
  useEffect(() => {
    // Don't echo parameters back that the frame sent.
    if (!isReady || told.current === JSON.stringify(parameters)) return
    told.current = JSON.stringify(parameters)
    host.current?.send({ kind: 'parameters', parameters })
  }, [isReady, parameters])
  const started = useRef(content)
  useEffect(() => {
    if (!isReady || started.current === content) return
    started.current = content
    host.current?.send({ kind: 'start', ...getStart(), is_frozen: false })
  }, [isReady, content])
  const begun = useRef(refreshes)
  useEffect(() => {
    if (!isReady || begun.current === refreshes) return
    begun.current = refreshes
    host.current?.send({ kind: 'refresh' })
  }, [isReady, refreshes])
  return (
    <div className={styles.box}>
      {failure !== null && (
        <Banner tone="danger" title="The code of this spark failed" onDismiss={() => setFailure(null)}>
          {failure}
        </Banner>
      )}
      {!isReady && (
        <Loading label="Loading the spark" className={styles.loading}>
          <Skeleton height={fixedHeight ?? height} />
        </Loading>
      )}
      <iframe
        ref={frame}
        title={label}
        src={url}
        sandbox="allow-scripts"
        allow=""
        referrerPolicy="no-referrer"
        className={styles.frame}
        data-ready={isReady}
        style={{ height: fixedHeight ?? height }}
        onLoad={() => host.current?.onLoad()}
      />
    </div>
  )
}
