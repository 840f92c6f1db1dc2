import type { OutsideSchemas } from '@trellis/contract/integrations/integrations.schemas'
import { useMemo } from 'react'
import { useDatabaseTables, useManagedDatabases } from './setup.queries.ts'

type Schemas = OutsideSchemas['schemas']

export function useOwnTables() {
  const databases = useManagedDatabases()
  const database = databases.data?.[0]?.integration_trellis_code ?? null
  const listing = useDatabaseTables(database)
  const isListed = databases.isFetched && (database === null || listing.isFetched)
  const schemas: Schemas = useMemo(() => listing.data?.schemas ?? [], [listing.data])
  return useMemo(
    () => ({
      database,
      schemas,
      isListed,
      findTable: ({ schema_name, table_name }: { schema_name: string; table_name: string }) =>
        schemas.find(({ name }) => name === schema_name)?.tables.find(({ name }) => name === table_name),
    }),
    [database, schemas, isListed],
  )
}
