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
  const address = useSchemaAddress()
  const { paths, isOwn, canChange } = useExplorer()
  const { schemaMenu } = useNodeMenus()
  const open = useOpenDialog()
  return (
    <Page>
      <PageHeader
        title={address.schema}
        subtitle="Schema"
        actions={
          <>
            {canChange('explorer:write', address.database) && (
              <Button icon={<ListPlus aria-hidden />} onClick={() => open({ kind: 'create-table', address })}>
                New table
              </Button>
            )}
            {canChange('uploads:write', address.database) && (
              <ButtonLink variant="primary" icon={<Upload aria-hidden />} to={paths.schema(address, 'files/new')}>
                Upload file
              </ButtonLink>
            )}
            <RowActions label={`Actions for ${address.schema}`} groups={schemaMenu(address)} />
          </>
        }
      />
      <LinkTabs
        label="Schema"
        tabs={[
          { label: 'Summary', to: paths.schema(address) },
          { label: 'Tables', to: paths.schema(address, 'tables') },
          { label: 'Diagram', to: paths.schema(address, 'diagram') },
          ...(isOwn(address.database) ? [{ label: 'Files', to: paths.schema(address, 'files') }] : []),
        ]}
      />
      <Outlet />
    </Page>
  )
}
