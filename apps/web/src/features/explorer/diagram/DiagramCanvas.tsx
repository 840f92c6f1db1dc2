import type { SchemaDiagram } from '@trellis/contract/explorer/explorer.schemas'
import { ReactFlow, ReactFlowProvider, useReactFlow, ViewportPortal, type Node, type NodeProps } from '@xyflow/react'
import '@xyflow/react/dist/base.css'
import { KeyRound, Link2, Maximize, ZoomIn, ZoomOut } from 'lucide-react'
import { memo, useEffect, useMemo } from 'react'
import { Link } from 'react-router'
import { IconButton } from '../../../ui/actions/IconButton.tsx'
import { useExplorer, useSchemaAddress } from '../use-explorer.ts'
import { type Detail, layOutDiagram, type PlacedDiagram, type PlacedTable, TABLE_WIDTH } from './diagram-layout.ts'
import { buildEdgePath } from './diagram-svg.ts'
import styles from './diagram.module.css'

interface DiagramCanvasProps {
  diagram: SchemaDiagram
  detail: Detail
  found: readonly PlacedTable[]
  onPlaced: (placedDiagram: PlacedDiagram) => void
}

type TableNode = Node<{ table: PlacedTable; to: string; isFound: boolean }, 'table'>

const PRO = { hideAttribution: true }
const nodeTypes = { table: memo(TableBox) }
const MAX_FIND_ZOOM = 1

export function DiagramCanvas(props: DiagramCanvasProps) {
  return (
    <ReactFlowProvider>
      <Surface {...props} />
    </ReactFlowProvider>
  )
}

function Surface({ diagram, detail, found, onPlaced }: DiagramCanvasProps) {
  const { paths } = useExplorer()
  const { database, schema } = useSchemaAddress()
  const flow = useReactFlow()
  const placedDiagram = useMemo(() => layOutDiagram(diagram, schema, detail), [diagram, schema, detail])
  useEffect(() => onPlaced(placedDiagram), [placedDiagram, onPlaced])
  const marked = useMemo(() => new Set(found.map(({ id }) => id)), [found])
  const nodes = useMemo(
    (): TableNode[] =>
      placedDiagram.tables.map((table) => ({
        id: table.id,
        type: 'table',
        position: { x: table.x, y: table.y },
        width: TABLE_WIDTH,
        height: table.height,
        data: {
          table,
          to: paths.table({ database, schema, table: table.id }, 'details'),
          isFound: marked.has(table.id),
        },
      })),
    [placedDiagram, paths, database, schema, marked],
  )
  const first = found[0]?.id
  useEffect(() => {
    if (first !== undefined) void flow.fitView({ nodes: [{ id: first }], maxZoom: MAX_FIND_ZOOM, duration: 160 })
  }, [first, flow])
  useEffect(() => {
    void flow.fitView({ maxZoom: MAX_FIND_ZOOM })
  }, [placedDiagram, flow])
  return (
    <div className={styles.canvas}>
      <ReactFlow<TableNode>
        aria-label={`Diagram of ${schema}`}
        nodes={nodes}
        edges={[]}
        nodeTypes={nodeTypes}
        fitView
        fitViewOptions={{ maxZoom: MAX_FIND_ZOOM }}
        minZoom={0.02}
        maxZoom={2}
        onlyRenderVisibleElements
        nodesDraggable={false}
        nodesConnectable={false}
        nodesFocusable={false}
        edgesFocusable={false}
        elementsSelectable={false}
        proOptions={PRO}
      >
        <ViewportPortal>
          <Lines placed={placedDiagram} marked={marked} />
        </ViewportPortal>
      </ReactFlow>
      <div className={styles.zoom} role="group" aria-label="Zoom">
        <IconButton label="Zoom in" icon={<ZoomIn aria-hidden />} onClick={() => void flow.zoomIn()} />
        <IconButton label="Zoom out" icon={<ZoomOut aria-hidden />} onClick={() => void flow.zoomOut()} />
        <IconButton
          label="Show the whole diagram"
          icon={<Maximize aria-hidden />}
          onClick={() => void flow.fitView({ maxZoom: MAX_FIND_ZOOM, duration: 160 })}
        />
      </div>
    </div>
  )
}

function Lines({ placed, marked }: { placed: PlacedDiagram; marked: ReadonlySet<string> }) {
  const tables = useMemo(() => new Map(placed.tables.map((table) => [table.id, table])), [placed])
  return (
    <svg className={styles.lines} width={1} height={1} aria-hidden>
      {placed.edges.map((edge) => (
        <path
          key={edge.id}
          d={buildEdgePath(edge, tables)}
          className={styles.line}
          data-found={marked.has(edge.from) || marked.has(edge.to)}
        >
          <title>{`${edge.from} → ${edge.to}: ${edge.label}`}</title>
        </path>
      ))}
    </svg>
  )
}

function TableBox({ data: { table, to, isFound } }: NodeProps<TableNode>) {
  return (
    <section className={styles.table} data-found={isFound} aria-label={table.id} style={{ width: TABLE_WIDTH }}>
      <Link to={to} className={`${styles.tableHead} nopan`} title={table.id}>
        {table.id}
      </Link>
      <ul>
        {table.lines.map((line) => (
          <li key={line.name} title={`${line.name} ${line.type}${line.isNullable ? '' : ' not null'}`}>
            <span>
              {line.isPrimaryKey ? (
                <KeyRound aria-label="Primary key" />
              ) : (
                line.isForeignKey && <Link2 aria-label="Foreign key" />
              )}
              {line.name}
            </span>
            <code>{line.type}</code>
          </li>
        ))}
        {table.hidden > 0 && <li className={styles.soft}>{table.hidden} more</li>}
      </ul>
    </section>
  )
}
