import { FileCode2 } from 'lucide-react'
import { useRef, type KeyboardEvent } from 'react'
import { Link } from 'react-router'
import { Button } from '../../../ui/actions/Button.tsx'
import { Loading, Skeleton } from '../../../ui/feedback/Skeleton.tsx'
import { useWorksheetSearch } from '../../worksheets/worksheets.queries.ts'
import { useDatabaseSearch } from '../explorer.queries.ts'
import { KindIcon } from '../KindIcon.tsx'
import { useExplorer } from '../use-explorer.ts'
import { highlight } from './highlight.ts'
import styles from './tree.module.css'

export function SearchHits({ database, searchText }: { database: string | undefined; searchText: string }) {
  const { params, paths } = useExplorer()
  const list = useRef<HTMLUListElement>(null)
  const databaseSearchQuery = useDatabaseSearch(params, database, searchText)
  if (databaseSearchQuery.isPending) {
    return (
      <Loading label="Searching" className={styles.ghosts}>
        {['a', 'b', 'c'].map((key) => (
          <Skeleton key={key} height={14} />
        ))}
      </Loading>
    )
  }
  if (databaseSearchQuery.isError) {
    return (
      <div role="alert" className={styles.quiet}>
        <p>{databaseSearchQuery.error.message}</p>
        <Button size="sm" onClick={() => void databaseSearchQuery.refetch()}>
          Retry
        </Button>
      </div>
    )
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step === undefined) return
    event.preventDefault()
    const links = [...(list.current?.querySelectorAll<HTMLElement>('a') ?? [])]
    const index = links.indexOf(document.activeElement as HTMLElement)
    links[Math.min(links.length - 1, Math.max(0, index + step))]?.focus()
  }
  return (
    <>
      <p role="status" className={styles.quiet}>
        {databaseSearchQuery.data.length === 0
          ? `No table, view or column has “${searchText.trim()}” in its name.`
          : `${databaseSearchQuery.data.length === 100 ? 'First 100' : databaseSearchQuery.data.length} found`}
      </p>
      <ul ref={list} className={styles.hits} aria-label="Found">
        {databaseSearchQuery.data.map((hit) => {
          const address = { database: database ?? '', schema: hit.schema_name, table: hit.table_name }
          return (
            <li key={`${hit.schema_name}.${hit.table_name}.${hit.column_name ?? ''}`}>
              <Link
                to={paths.table(address, hit.column_name === null ? 'preview' : 'details')}
                className={styles.hit}
                onKeyDown={onKeyDown}
              >
                <KindIcon kind={hit.kind} />
                <span>
                  <span className={styles.hitName}>
                    <Marked text={hit.table_name} searchText={hit.column_name === null ? searchText : ''} />
                  </span>
                  <small>
                    {hit.schema_name}
                    {hit.column_name !== null && (
                      <>
                        {' · column '}
                        <Marked text={hit.column_name} searchText={searchText} />
                      </>
                    )}
                  </small>
                </span>
              </Link>
            </li>
          )
        })}
      </ul>
      <WorksheetHits searchText={searchText} />
    </>
  )
}

const SHOWN_WORKSHEETS = 20

function WorksheetHits({ searchText }: { searchText: string }) {
  const { params, paths } = useExplorer()
  const { data: hits = [] } = useWorksheetSearch(params, searchText.trim())
  if (hits.length === 0) return null
  return (
    <>
      <p className={styles.quiet}>Worksheets</p>
      <ul className={styles.hits} aria-label="Found worksheets">
        {hits
          .slice(0, SHOWN_WORKSHEETS)
          .map(({ project_id: projectId, folder_id: folderId, file_id: fileId, name, ...hit }) => (
            <li key={`${projectId} ${fileId}`}>
              <Link to={paths.worksheet({ projectId, folderId, fileId, name })} className={styles.hit}>
                <FileCode2 aria-hidden />
                <span>
                  <span className={styles.hitName}>
                    <Marked text={name} searchText={searchText} />
                  </span>
                  <small>
                    {hit.line === null ? hit.project_name : `${hit.project_name} · line ${hit.line.number}`}
                  </small>
                </span>
              </Link>
            </li>
          ))}
      </ul>
    </>
  )
}

function Marked({ text, searchText }: { text: string; searchText: string }) {
  return highlight(text, searchText).map((part, index) =>
    part.isHit ? <mark key={index}>{part.text}</mark> : part.text,
  )
}
