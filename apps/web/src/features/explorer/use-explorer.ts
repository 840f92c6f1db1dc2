import { allows, type Permission } from '@trellis/contract/core/permissions'
import { useMemo } from 'react'
import { useParams } from 'react-router'
import { useCurrentWorkspace } from '../accounts/accounts.queries.ts'
import { useDatabases } from './explorer.queries.ts'
import { explorerPaths, type SchemaAddress, type TableAddress } from './explorer-paths.ts'

export function useExplorer() {
  const { account, workspace, params, home } = useCurrentWorkspace()
  const roles = { accountRole: account.role, workspaceRole: workspace.role }
  const paths = useMemo(() => explorerPaths(home), [home])
  const { data: databases } = useDatabases(params)
  const can = (permission: Permission) => allows(permission, roles)
  const isOwn = (database: string | undefined) =>
    databases?.some((candidate) => candidate.integration_trellis_code === database && candidate.kind === 'managed') ??
    false
  return {
    params,
    paths,
    key: home,
    can,
    isOwn,
    canChange: (permission: Permission, database: string | undefined) => isOwn(database) && can(permission),
  }
}

export function useAddress(): Partial<TableAddress> {
  const { databaseId, schemaId, tableId } = useParams()
  return {
    ...(databaseId && { database: databaseId }),
    ...(schemaId && { schema: schemaId }),
    ...(tableId && { table: tableId }),
  }
}

export function useDatabaseCode(): string {
  return useAddress().database ?? ''
}

export function useSchemaAddress(): SchemaAddress {
  const { database = '', schema = '' } = useAddress()
  return { database, schema }
}

export function useTableAddress(): TableAddress {
  const { database = '', schema = '', table = '' } = useAddress()
  return { database, schema, table }
}
