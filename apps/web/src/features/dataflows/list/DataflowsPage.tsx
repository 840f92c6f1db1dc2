import { Link } from 'react-router'
import { Loaded } from '../../../app/loading/Loaded.tsx'
import { Page, PageHeader } from '../../../ui/layout/Page.tsx'
import { useDataflowsPlace, useFolderStructure } from '../dataflows.queries.ts'

/** Every dataflow of the workspace, in folders. */
export function Component() {
  const { address, paths } = useDataflowsPlace()
  const structure = useFolderStructure(address)
  return (
    <Page>
      <PageHeader title="Dataflows" subtitle="What moves data into this workspace, changes it and sends it on." />
      <Loaded query={structure} what="The list of dataflows">
        {({ dataflows }) => (
          <ul>
            {dataflows.map((one) => (
              <li key={one.trellis_code}>
                <Link to={paths.editor(one.trellis_code)}>{one.name}</Link>
              </li>
            ))}
          </ul>
        )}
      </Loaded>
    </Page>
  )
}
