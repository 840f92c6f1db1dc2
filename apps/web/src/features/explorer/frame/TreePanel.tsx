import { Download, FolderPlus, ListPlus, Plus, Tags, Trash2, Upload } from 'lucide-react'
import { useState } from 'react'
import { IconButton } from '../../../ui/actions/IconButton.tsx'
import { Button } from '../../../ui/actions/Button.tsx'
import { Loading, Skeleton } from '../../../ui/feedback/Skeleton.tsx'
import { SearchField } from '../../../ui/forms/SearchField.tsx'
import { Menu, type MenuItem } from '../../../ui/overlays/Menu.tsx'
import { useOpenDialog } from '../dialogs/dialog-context.ts'
import { useFirstSchema } from '../explorer.queries.ts'
import { SearchHits } from '../tree/SearchHits.tsx'
import { Tree } from '../tree/Tree.tsx'
import { useTree } from '../tree/use-tree.ts'
import { useAddress, useExplorer } from '../use-explorer.ts'
import styles from './frame.module.css'
import { useSettled } from '../../../ui/data/use-settled.ts'

const GHOSTS = ['60%', '45%', '70%', '52%', '64%']

export function TreePanel() {
  const tree = useTree()
  const address = useAddress()
  const [searchText, setSearchText] = useState('')
  const settled = useSettled(searchText)
  const database = address.database ?? tree.databases.data?.[0]?.integration_trellis_code
  const isSearching = searchText.trim() !== ''
  return (
    <nav aria-label="Explorer" className={styles.panel}>
      <div className={styles.panelHead}>
        <SearchField
          label="Search tables"
          value={searchText}
          onChange={(event) => setSearchText(event.target.value)}
          onKeyDown={(event) => {
            if (event.key === 'Escape') setSearchText('')
            if (event.key !== 'ArrowDown') return
            event.preventDefault()
            const panel = event.currentTarget.closest('nav')
            panel?.querySelector<HTMLElement>('[role=tree], ul a')?.focus()
          }}
        />
        <AddMenu database={database} />
      </div>
      {isSearching ? (
        <SearchHits database={database} searchText={settled.trim() === '' ? searchText : settled} />
      ) : tree.databases.isPending ? (
        <Loading label="Loading the databases" className={styles.ghosts}>
          {GHOSTS.map((width) => (
            <Skeleton key={width} width={width} />
          ))}
        </Loading>
      ) : tree.databases.isError ? (
        <div role="alert" className={styles.problem}>
          <p>The databases could not be loaded. {tree.databases.error.message}</p>
          <Button size="sm" isBusy={tree.databases.isFetching} onClick={() => void tree.databases.refetch()}>
            Retry
          </Button>
        </div>
      ) : tree.rows.length === 0 ? (
        <p className={styles.problem}>This workspace has no database yet.</p>
      ) : (
        <Tree rows={tree.rows} onToggle={tree.toggle} onMore={tree.loadMore} onRetry={tree.retry} />
      )}
    </nav>
  )
}

function AddMenu({ database }: { database: string | undefined }) {
  const { params, canChange, paths } = useExplorer()
  const first = useFirstSchema(params, database)
  const schema = useAddress().schema ?? first
  const open = useOpenDialog()
  if (database === undefined) return null
  const address = schema === undefined ? null : { database, schema }
  const make: MenuItem[] = [
    ...(address && canChange('uploads:write', database)
      ? [
          {
            label: 'Upload file',
            note: `into ${schema}`,
            icon: <Upload aria-hidden />,
            to: paths.schema(address, 'files/new'),
          },
        ]
      : []),
    ...(address && canChange('explorer:write', database)
      ? [
          {
            label: 'New table',
            note: `in ${schema}`,
            icon: <ListPlus aria-hidden />,
            onSelect: () => open({ kind: 'create-table', address }),
          },
        ]
      : []),
    ...(canChange('explorer:manage', database)
      ? [
          {
            label: 'New schema',
            icon: <FolderPlus aria-hidden />,
            onSelect: () => open({ kind: 'create-schema', database }),
          },
        ]
      : []),
  ]
  const look: MenuItem[] = [
    { label: 'Exports', icon: <Download aria-hidden />, onSelect: () => open({ kind: 'exports' }) },
    { label: 'Labels', icon: <Tags aria-hidden />, onSelect: () => open({ kind: 'labels' }) },
    { label: 'Recently deleted', icon: <Trash2 aria-hidden />, to: paths.deleted },
  ]
  return (
    <Menu
      label="Add and manage"
      align="end"
      groups={[make, look].filter((group) => group.length > 0)}
      trigger={(props) => <IconButton {...props} label="Add and manage" icon={<Plus aria-hidden />} />}
    />
  )
}
