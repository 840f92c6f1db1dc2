import { ListPlus, Upload } from 'lucide-react'
import { Outlet } from 'react-router'
import { Button, ButtonLink } from '../../../ui/actions/Button.tsx'
import { RowActions } from '../../../ui/data/RowActions.tsx'
import { LinkTabs } from '../../../ui/layout/Tabs.tsx'
import { Page, PageHeader } from '../../../ui/layout/Page.tsx'
import { useOpenDialog } from '../dialogs/dialog-context.ts'
import { useNodeMenus } from '../table-menu.tsx'
import { useExplorer, useSchemaAddress } from '../use-explorer.ts'

export function Component() {
  const at = useSchemaAddress()
  const { paths, isOwn, canChange } = useExplorer()
  const { schemaMenu } = useNodeMenus()
  const open = useOpenDialog()
  return (
    <Page>
      <PageHeader
        title={at.schema}
        subtitle="Schema"
        actions={
          <>
            {canChange('explorer:write', at.database) && (
              <Button icon={<ListPlus aria-hidden />} onClick={() => open({ kind: 'create-table', at })}>
                New table
              </Button>
            )}
            {canChange('uploads:write', at.database) && (
              <ButtonLink variant="primary" icon={<Upload aria-hidden />} to={paths.schema(at, 'files/new')}>
                Upload file
              </ButtonLink>
            )}
            <RowActions label={`Actions for ${at.schema}`} groups={schemaMenu(at)} />
          </>
        }
      />
      <LinkTabs
        label="Schema"
        tabs={[
          { label: 'Summary', to: paths.schema(at) },
          { label: 'Tables', to: paths.schema(at, 'tables') },
          { label: 'Diagram', to: paths.schema(at, 'diagram') },
          ...(isOwn(at.database) ? [{ label: 'Files', to: paths.schema(at, 'files') }] : []),
        ]}
      />
      <Outlet />
    </Page>
  )
}
