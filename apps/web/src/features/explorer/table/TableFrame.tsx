import type { TableDetails } from '@trellis/contract/explorer/explorer.schemas'
import { Download, EllipsisVertical, FileCode2, FilePen, FilePlus2, FileSymlink, Upload } from 'lucide-react'
import { Outlet } from 'react-router'
import { Button, ButtonLink } from '../../../ui/actions/Button.tsx'
import { IconButton } from '../../../ui/actions/IconButton.tsx'
import { formatEstimate } from '../../../ui/data/amounts.ts'
import { LinkTabs } from '../../../ui/layout/Tabs.tsx'
import { Menu } from '../../../ui/overlays/Menu.tsx'
import { useOpenDialog } from '../dialogs/dialog-context.ts'
import type { TableAddress } from '../explorer-paths.ts'
import { useTableDetails } from '../explorer.queries.ts'
import { KindIcon, describeKind } from '../KindIcon.tsx'
import { LabelChip } from '../labels/LabelMarks.tsx'
import { Loaded } from '../../../app/loading/Loaded.tsx'
import { useRowsView } from '../preview/use-rows-view.ts'
import { canHoldRows, useNodeMenus } from '../table-menu.tsx'
import { useExplorer, useTableAddress } from '../use-explorer.ts'
import styles from './table.module.css'

export function Component() {
  const address = useTableAddress()
  const { params, paths } = useExplorer()
  const details = useTableDetails(params, address)
  const isGone = details.error?.code === 'not_found'
  return (
    <div className={styles.frame}>
      <header className={styles.head}>
        <div className={styles.title}>
          <h1>
            {details.data && <KindIcon isSilent kind={details.data.kind} />}
            {address.table}
          </h1>
          <TableFacts address={address} details={details.data} />
        </div>
        {!isGone && <TableActions address={address} details={details.data} />}
      </header>
      {isGone ? (
        <div className={styles.body} data-padded>
          <Loaded query={details} subject="The table">
            {() => null}
          </Loaded>
        </div>
      ) : (
        <>
          <div className={styles.tabs}>
            <LinkTabs
              label="Table"
              tabs={[
                { label: 'Preview', to: paths.table(address) },
                { label: 'Details', to: paths.table(address, 'details') },
                { label: 'Description', to: paths.table(address, 'description') },
              ]}
            />
          </div>
          <div className={styles.body}>
            <Outlet />
          </div>
        </>
      )}
    </div>
  )
}

function TableFacts({ address, details }: { address: TableAddress; details: TableDetails | undefined }) {
  return (
    <div className={styles.facts}>
      <span>
        {details ? describeKind(details.kind) : 'Table'} in {address.schema}
      </span>
      {details && details.rows_estimate !== null && <span>{formatEstimate(details.rows_estimate)} rows</span>}
      {details?.labels.map((label) => (
        <LabelChip key={label.id} label={label} />
      ))}
    </div>
  )
}

function TableActions({ address, details }: { address: TableAddress; details: TableDetails | undefined }) {
  const { paths, canChange } = useExplorer()
  const { tableMenu } = useNodeMenus()
  const open = useOpenDialog()
  const view = useRowsView()
  const kind = details?.kind ?? 'view'
  const canLoad = canChange('uploads:write', address.database) && canHoldRows(kind)
  const [, share = [], change = []] = tableMenu(address, kind)
  const load = [
    { label: 'Append a file…', icon: <FilePlus2 aria-hidden />, to: paths.table(address, 'append') },
    { label: 'Replace by a file…', icon: <FileSymlink aria-hidden />, to: paths.table(address, 'replace') },
    ...(details && details.primary_key.length > 0
      ? [{ label: 'Upsert a file…', icon: <FilePen aria-hidden />, to: paths.table(address, 'upsert') }]
      : []),
  ]
  const shown = [
    {
      label: 'Query in another project…',
      icon: <FileCode2 aria-hidden />,
      to: `${paths.table(address, 'query')}?choose`,
    },
    ...share.filter((item) => item.label === 'Copy name'),
  ]
  return (
    <div className={styles.actions}>
      <ButtonLink icon={<FileCode2 aria-hidden />} to={paths.table(address, 'query')}>
        Query
      </ButtonLink>
      {canLoad && (
        <ButtonLink icon={<Upload aria-hidden />} to={paths.table(address, 'upload')}>
          Upload
        </ButtonLink>
      )}
      <Button
        icon={<Download aria-hidden />}
        onClick={() => open({ kind: 'export', address, view: { filters: view.filters, sort: view.sort } })}
      >
        Export
      </Button>
      <Menu
        label={`Actions for ${address.table}`}
        align="end"
        groups={[canLoad ? load : [], shown, change].filter((group) => group.length > 0)}
        trigger={(props) => (
          <IconButton {...props} label={`Actions for ${address.table}`} icon={<EllipsisVertical aria-hidden />} />
        )}
      />
    </div>
  )
}
