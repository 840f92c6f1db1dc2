import { useEffect } from 'react'
import { Outlet } from 'react-router'
import { Loaded } from '../../../app/loading/Loaded.tsx'
import { noteName } from '../../../app/shell/known-names.ts'
import { ButtonLink } from '../../../ui/actions/Button.tsx'
import { Page } from '../../../ui/layout/Page.tsx'
import { LinkTabs } from '../../../ui/layout/Tabs.tsx'
import { useDataflow, useDataflowsPlace, useEditorAddress } from '../dataflows.queries.ts'
import styles from './editor.module.css'

/** The head over the canvas and the runs of one dataflow. */
export function Component() {
  const { address, paths } = useDataflowsPlace()
  const { dataflow } = useEditorAddress()
  const query = useDataflow(address, dataflow)
  const name = query.data?.name
  useEffect(() => {
    if (name !== undefined) noteName(dataflow, name)
  }, [dataflow, name])
  if (!query.data)
    return (
      <Page>
        <Loaded query={query} what="The dataflow" elsewhere={<ButtonLink to={paths.list}>To the dataflows</ButtonLink>}>
          {() => null}
        </Loaded>
      </Page>
    )
  return (
    <div className={styles.frame}>
      <header className={styles.head}>
        <h1>{name}</h1>
        <LinkTabs
          label="Views of the dataflow"
          tabs={[
            { label: 'Editor', to: paths.editor(dataflow) },
            { label: 'Runs', to: paths.logs(dataflow) },
          ]}
        />
      </header>
      <div className={styles.body}>
        <Outlet />
      </div>
    </div>
  )
}
