import type { Dataflow } from '@trellis/contract/dataflows/dataflows.schemas'
import { lazy, Suspense, useEffect } from 'react'
import { Link, Outlet } from 'react-router'
import { Loaded } from '../../../app/loading/Loaded.tsx'
import { cacheBreadcrumbName } from '../../../app/shell/breadcrumb-names.ts'
import { ButtonLink } from '../../../ui/actions/Button.tsx'
import { Badge } from '../../../ui/feedback/Status.tsx'
import { Page } from '../../../ui/layout/Page.tsx'
import { LinkTabs } from '../../../ui/layout/Tabs.tsx'
import { useDataflow, useDataflowsScope, useEditorParams, useFolderStructure } from '../dataflows.queries.ts'
import { folderTrail } from '../list/folder-tree.ts'
import { ListDialogs } from '../list/ListDialogs.tsx'
import styles from './editor.module.css'
import { FrameGhost } from './EditorGhost.tsx'

const HeadActions = lazy(() => import('./HeadActions.tsx'))

export function Component() {
  const { address, paths } = useDataflowsScope()
  const { dataflowCode } = useEditorParams()
  const query = useDataflow(address, dataflowCode)
  const name = query.data?.name
  useEffect(() => {
    if (name !== undefined) cacheBreadcrumbName(dataflowCode, name)
  }, [dataflowCode, name])
  if (!query.data && !query.error) return <FrameGhost />
  if (!query.data)
    return (
      <Page>
        <Loaded
          query={query}
          subject="The dataflow"
          notFoundLink={<ButtonLink to={paths.list}>All dataflows</ButtonLink>}
        >
          {() => null}
        </Loaded>
      </Page>
    )
  return (
    <div className={styles.frame}>
      <Head dataflow={query.data} />
      <div className={styles.body}>
        <Outlet />
      </div>
    </div>
  )
}

function Head({ dataflow }: { dataflow: Dataflow }) {
  const { address, paths } = useDataflowsScope()
  const { data } = useFolderStructure(address)
  const folder = folderTrail(data?.folders ?? [], dataflow.folder_trellis_code).at(-1)
  const { trellis_code: code } = dataflow
  return (
    <ListDialogs folders={data?.folders ?? []}>
      <header className={styles.head}>
        <div className={styles.titles}>
          {folder && <Link to={paths.folder(folder.trellis_code)}>{folder.name}</Link>}
          <h1>{dataflow.name}</h1>
          {dataflow.is_paused && <Badge tone="warning">Paused</Badge>}
        </div>
        <LinkTabs
          label="Views of the dataflow"
          tabs={[
            { label: 'Editor', to: paths.editor(code) },
            { label: 'Runs', to: paths.logs(code) },
          ]}
        />
        <div className={styles.headEnd}>
          <Suspense>
            <HeadActions dataflow={dataflow} />
          </Suspense>
        </div>
      </header>
    </ListDialogs>
  )
}
