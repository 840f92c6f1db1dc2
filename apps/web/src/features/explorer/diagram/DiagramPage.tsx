import { Download } from 'lucide-react'
import { lazy, Suspense, useMemo, useState } from 'react'
import { CompactSelect } from '../../../ui/forms/CompactSelect.tsx'
import { Loaded } from '../../../app/loading/Loaded.tsx'
import { Link } from 'react-router'
import { Button } from '../../../ui/actions/Button.tsx'
import { Banner } from '../../../ui/feedback/Banner.tsx'
import { EmptyState } from '../../../ui/feedback/EmptyState.tsx'
import { Skeleton } from '../../../ui/feedback/Skeleton.tsx'
import { showToast } from '../../../ui/feedback/toasts.ts'
import { SearchField } from '../../../ui/forms/SearchField.tsx'
import { Menu } from '../../../ui/overlays/Menu.tsx'
import { useSchemaDiagram } from '../explorer.queries.ts'
import { useExplorer, useSchemaAddress } from '../use-explorer.ts'
import type { Detail, PlacedDiagram } from './diagram-layout.ts'
import styles from './diagram.module.css'

const loadCanvas = () => import('./DiagramCanvas.tsx')
const DiagramCanvas = lazy(async () => ({ default: (await loadCanvas()).DiagramCanvas }))
void loadCanvas().catch(() => undefined)

const DETAILS: readonly { value: Detail; label: string }[] = [
  { value: 'all', label: 'All columns' },
  { value: 'keys', label: 'Keys only' },
  { value: 'names', label: 'Names only' },
]

export function Component() {
  const address = useSchemaAddress()
  const { params, paths } = useExplorer()
  const diagram = useSchemaDiagram(params, address)
  const [searchText, setSearchText] = useState('')
  const [detail, setDetail] = useState<Detail>('all')
  const [placedDiagram, setPlaced] = useState<PlacedDiagram | null>(null)
  const searchTerm = searchText.trim().toLowerCase()
  const placedTables = useMemo(
    () =>
      searchTerm === '' ? [] : (placedDiagram?.tables ?? []).filter(({ id }) => id.toLowerCase().includes(searchTerm)),
    [placedDiagram, searchTerm],
  )
  return (
    <div className={styles.frame}>
      <header className={styles.head}>
        <div>
          <h1>Diagram of {address.schema}</h1>
          <Link to={paths.schema(address)}>Back to the schema</Link>
        </div>
        <div className={styles.tools}>
          <SearchField
            label="Find a table"
            value={searchText}
            onChange={(event) => setSearchText(event.target.value)}
            onKeyDown={(event) => {
              if (event.key === 'Escape') setSearchText('')
            }}
          />
          {searchTerm !== '' && (
            <span role="status" className={styles.soft}>
              {placedTables.length} found
            </span>
          )}
          <CompactSelect label="Columns" value={detail} onChange={setDetail} options={DETAILS} />
          <Menu
            label="Export the diagram"
            align="end"
            groups={[
              [
                { label: 'PNG', onSelect: () => void save(placedDiagram, address.schema, 'png') },
                { label: 'SVG', onSelect: () => void save(placedDiagram, address.schema, 'svg') },
              ],
            ]}
            trigger={(props) => (
              <Button {...props} icon={<Download aria-hidden />} disabled={placedDiagram === null}>
                Export
              </Button>
            )}
          />
        </div>
      </header>
      <Loaded query={diagram} subject="The schema" skeletonHeights={[400]}>
        {(data) =>
          data.tables.length === 0 ? (
            <EmptyState title="No tables yet" subtitle="Tables of this schema and their foreign keys are drawn here." />
          ) : (
            <>
              {data.is_cut && (
                <Banner>
                  This schema has more tables than a diagram holds. The first {data.tables.length} are shown, those with
                  foreign keys before others.
                </Banner>
              )}
              <Suspense fallback={<Skeleton height="100%" />}>
                <DiagramCanvas diagram={data} detail={detail} found={placedTables} onPlaced={setPlaced} />
              </Suspense>
            </>
          )
        }
      </Loaded>
    </div>
  )
}

async function save(placedDiagram: PlacedDiagram | null, schema: string, format: 'png' | 'svg'): Promise<void> {
  if (!placedDiagram) return
  try {
    const { saveDiagram } = await import('./save-diagram.ts')
    await saveDiagram(placedDiagram, { name: `${schema}-diagram.${format}`, format })
  } catch {
    showToast({ tone: 'danger', text: 'The picture could not be created. Try SVG, which has no size limit.' })
  }
}
