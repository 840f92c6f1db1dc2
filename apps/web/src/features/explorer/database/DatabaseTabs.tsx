import { LinkTabs } from '../../../ui/layout/Tabs.tsx'
import { useExplorer } from '../use-explorer.ts'

export function DatabaseTabs({ database }: { database: string }) {
  const { paths, canChange } = useExplorer()
  if (!canChange('database-admin:read', database)) return null
  const tabs = [
    { label: 'Schemas', to: paths.database(database) },
    { label: 'Users', to: paths.database(database, 'users') },
    { label: 'Groups', to: paths.database(database, 'groups') },
    { label: 'Roles', to: paths.database(database, 'roles') },
    { label: 'External profiles', to: paths.database(database, 'external-profiles') },
    { label: 'Rights', to: paths.database(database, 'rights') },
    { label: 'Connection', to: paths.database(database, 'connection') },
  ]
  return <LinkTabs label="Database" tabs={tabs} />
}
