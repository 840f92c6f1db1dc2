import type { ExplorerHome } from '@trellis/contract/explorer/explorer.schemas'
import { Download, FileCode2, Table2, Tags, Trash2 } from 'lucide-react'
import { Link } from 'react-router'
import type * as z from 'zod/mini'
import { Button, ButtonLink } from '../../../ui/actions/Button.tsx'
import { formatBytes } from '../../../ui/data/amounts.ts'
import { DateTime } from '../../../ui/data/DateTime.tsx'
import { UsageBar } from '../../../ui/feedback/Meters.tsx'
import { StatusDot } from '../../../ui/feedback/Status.tsx'
import { Card } from '../../../ui/layout/Card.tsx'
import { Page, PageHeader, Stack } from '../../../ui/layout/Page.tsx'
import { DATABASE_STATES, isBroken } from '../database-state.ts'
import { useOpenDialog } from '../dialogs/dialog-context.ts'
import styles from '../explorer.module.css'
import { useExplorerHome } from '../explorer.queries.ts'
import { KindIcon } from '../KindIcon.tsx'
import { Loaded } from '../../../app/loading/Loaded.tsx'
import { useExplorer } from '../use-explorer.ts'
import { FirstFile, FirstTables } from './FirstTables.tsx'

type Home = z.infer<typeof ExplorerHome>

export function Component() {
  const { params, paths } = useExplorer()
  const open = useOpenDialog()
  const home = useExplorerHome(params)
  return (
    <Page>
      <PageHeader
        title="Explorer"
        subtitle="The tables of this workspace: browse and describe them, upload files and export data."
        actions={
          <>
            <Button icon={<Download aria-hidden />} onClick={() => open({ kind: 'exports' })}>
              Exports
            </Button>
            <Button icon={<Tags aria-hidden />} onClick={() => open({ kind: 'labels' })}>
              Labels
            </Button>
            <ButtonLink icon={<Trash2 aria-hidden />} to={paths.deleted}>
              Recently deleted
            </ButtonLink>
          </>
        }
      />
      <Loaded query={home} subject="The explorer">
        {(data) => <Overview home={data} />}
      </Loaded>
    </Page>
  )
}

function Overview({ home }: { home: Home }) {
  const { paths } = useExplorer()
  const { databases, recent_tables: recent, recent_worksheets: worksheets, storage } = home
  const toDatabase = (database: Home['databases'][number]) =>
    (isBroken(database) ? paths.connection : paths.database)(database.integration_trellis_code)
  return (
    <Stack>
      <div className={styles.columns}>
        <Card isFlush title="Databases">
          {databases.length === 0 ? (
            <div className={styles.listLine}>This workspace has no database yet.</div>
          ) : (
            <ul className={styles.list}>
              {databases.map((database) => (
                <li key={database.integration_trellis_code}>
                  <Link to={toDatabase(database)} className={styles.listLine}>
                    <span className={styles.named}>
                      <KindIcon isSilent kind="database" />
                      <span>
                        {database.name}{' '}
                        {database.kind === 'integration' && <span className={styles.soft}>connected</span>}
                      </span>
                    </span>
                    <StatusDot tone={DATABASE_STATES[database.state].tone}>
                      {DATABASE_STATES[database.state].text}
                    </StatusDot>
                    <span className={styles.amount}>
                      {database.size_bytes === null ? '' : formatBytes(database.size_bytes)}
                    </span>
                  </Link>
                </li>
              ))}
            </ul>
          )}
        </Card>
        <Card title="Storage">
          <UsageBar label="Used by tables" used={storage.used_bytes} limit={storage.limit_bytes} format={formatBytes} />
        </Card>
      </div>
      {recent.length === 0 ? (
        <Beginning
          database={
            databases.find(({ kind, state }) => kind === 'managed' && state === 'online')?.integration_trellis_code
          }
        />
      ) : (
        <Card isFlush title="Recently opened tables">
          <ul className={styles.list}>
            {recent.map((item) => (
              <li key={`${item.integration_trellis_code} ${item.schema_name} ${item.table_name}`}>
                <Link
                  to={paths.table({
                    database: item.integration_trellis_code,
                    schema: item.schema_name,
                    table: item.table_name,
                  })}
                  className={styles.listLine}
                >
                  <span className={styles.named}>
                    <Table2 aria-hidden className={styles.kind} />
                    <span>
                      {item.table_name} <span className={styles.soft}>in {item.schema_name}</span>
                    </span>
                  </span>
                  <span className={styles.amount}>
                    <DateTime value={item.opened_at} format="recent" />
                  </span>
                </Link>
              </li>
            ))}
          </ul>
        </Card>
      )}
      {worksheets.length > 0 && <RecentWorksheets worksheets={worksheets} />}
    </Stack>
  )
}

function RecentWorksheets({ worksheets }: { worksheets: Home['recent_worksheets'] }) {
  const { paths } = useExplorer()
  return (
    <Card isFlush title="Recently opened worksheets">
      <ul className={styles.list}>
        {worksheets.map(({ project_id: projectId, folder_id: folderId, file_id: fileId, name, ...one }) => (
          <li key={`${projectId} ${fileId}`}>
            <Link to={paths.worksheet({ projectId, folderId, fileId, name })} className={styles.listLine}>
              <span className={styles.named}>
                <FileCode2 aria-hidden className={styles.kind} />
                <span>
                  {name} <span className={styles.soft}>in {one.project_name}</span>
                </span>
              </span>
              <span className={styles.amount}>
                <DateTime value={one.opened_at} format="recent" />
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </Card>
  )
}

function Beginning({ database }: { database: string | undefined }) {
  return database === undefined ? <FirstFile database={database} /> : <FirstTables database={database} />
}
