import type { Canvas } from '@trellis/contract/dataflows/task-blocks.schemas'
import { lazy, Suspense, useMemo, useState } from 'react'
import { useSearchParams } from 'react-router'
import { Loaded } from '../../../app/loading/Loaded.tsx'
import { useDataflowsScope, useEditorParams } from '../dataflows.queries.ts'
import type { CanvasRequest } from './canvas-requests.ts'
import { CanvasDialogs } from './dialogs/CanvasDialogs.tsx'
import styles from './editor.module.css'
import { CanvasGhost } from './EditorGhost.tsx'
import { BlockList } from './list/BlockList.tsx'
import { EmptyCanvas } from './EmptyCanvas.tsx'
import { CanvasToolbar } from './CanvasToolbar.tsx'
import { useBlockMenu } from './use-block-menu.tsx'
import { useCanvasView, type CanvasView } from './use-canvas-view.ts'
import { useUndoKeys } from './use-undo-keys.ts'
import { useCanvasActions } from './work/use-canvas-actions.ts'
import { useCanvasWork } from './work/use-canvas-work.ts'
import { useLiveCanvas } from './work/use-live-canvas.ts'
import type { StartFrom } from '../start/start-from.ts'
import { withPlaces } from './work/pending-places.ts'

const StartPanel = lazy(() => import('../start/StartPanel.tsx'))
const FlowCanvas = lazy(() => import('./view/FlowCanvas.tsx'))

export default function CanvasEditor() {
  const { dataflowCode } = useEditorParams()
  const query = useLiveCanvas(dataflowCode)
  return (
    <Loaded query={query} subject="The canvas" skeleton={<CanvasGhost />}>
      {(canvas) => <Editor key={dataflowCode} canvas={canvas} />}
    </Loaded>
  )
}

function Editor({ canvas: loadedCanvas }: { canvas: Canvas }) {
  const { canWrite } = useDataflowsScope()
  const work = useCanvasWork(loadedCanvas.dataflow_trellis_code)
  const actions = useCanvasActions(work)
  useUndoKeys(work, canWrite)
  const canvas = useMemo(() => withPlaces(loadedCanvas, work.unsaved()), [loadedCanvas, work])
  const [view, setView] = useCanvasView()
  const [request, setRequest] = useState<CanvasRequest | null>(null)
  const [start, setStart] = useStart()
  const [arrived, setArrived] = useState<string | null>(null)
  const [selected, setSelected] = useState<readonly string[]>([])
  const menu = useBlockMenu({ actions, canWrite, onRequest: setRequest, onStarted: () => void work.reload() })
  const show = (next: CanvasView) => {
    setSelected([])
    setView(next)
  }
  const shared = {
    canvas,
    canWrite,
    work,
    actions,
    menu,
    onRequest: setRequest,
    selected,
    onSelect: setSelected,
    arrived,
    onArrived: () => setArrived(null),
  }
  return (
    <div className={styles.editor}>
      <CanvasToolbar {...shared} view={view} onView={show} />
      {canvas.blocks.length === 0 ? (
        <EmptyCanvas
          actions={actions}
          canWrite={canWrite}
          onAdd={() => setRequest({ kind: 'add', after: null, point: null })}
          onStart={setStart}
        />
      ) : view === 'list' ? (
        <BlockList {...shared} />
      ) : (
        <Suspense fallback={<div className={styles.surface} aria-busy="true" />}>
          <FlowCanvas {...shared} />
        </Suspense>
      )}
      {start && canWrite && (
        <Suspense>
          <StartPanel
            dataflow={canvas.dataflow_trellis_code}
            from={start}
            onClose={() => setStart(null)}
            onNext={(block) => {
              setStart(null)
              setRequest({ kind: 'add', after: actions.find(block) ?? null, point: null })
            }}
          />
        </Suspense>
      )}
      {request && (
        <CanvasDialogs
          request={request}
          canvas={canvas}
          actions={actions}
          onReload={() => void work.reload()}
          onMade={setArrived}
          onClose={() => setRequest(null)}
        />
      )}
    </div>
  )
}

const START = 'start'

/** After OAuth consent the panel resumes with that connection. */
function useStart() {
  const [params, setParams] = useSearchParams()
  const requestedStart = params.get(START)
  const [start, setStart] = useState<StartFrom | null>(
    requestedStart === null ? null : { kind: 'connection', integration: requestedStart },
  )
  const change = (next: StartFrom | null) => {
    setStart(next)
    if (params.has(START))
      setParams(
        (old) => {
          old.delete(START)
          return old
        },
        { replace: true },
      )
  }
  return [start, change] as const
}
