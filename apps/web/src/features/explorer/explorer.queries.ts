import * as calls from '@trellis/contract/explorer/explorer.endpoints'
import { listLabels } from '@trellis/contract/explorer/labels.endpoints'
import { listDeletions } from '@trellis/contract/explorer/recycle-bin.endpoints'
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import type { TableList } from '@trellis/contract/explorer/explorer.schemas'
import type * as z from 'zod/mini'
import type { WorkspaceAddress } from '../../api/workspace-address.ts'
import type { ApiError } from '../../api/api-error.ts'
import { apiQuery, useApiMutation } from '../../api/api-query.ts'
import { call } from '../../api/call.ts'
import type { SchemaAddress, TableAddress } from './explorer-paths.ts'

export const databaseRef = (integration_trellis_code: string) => ({ integration_trellis_code })
export const schemaRef = ({ database, schema }: SchemaAddress) => ({
  ...databaseRef(database),
  schema_name: schema,
})
export const tableRef = (address: TableAddress) => ({ ...schemaRef(address), table_name: address.table })

export function useExplorerHome(params: WorkspaceAddress) {
  return useQuery({ ...apiQuery(calls.getExplorerHome, { params }), staleTime: 0 })
}

export function useDatabases(params: WorkspaceAddress | null) {
  const query = apiQuery(calls.listDatabases, { params: params ?? { account_trellis_code: '', workspace_address: '' } })
  return useQuery({ ...query, enabled: params !== null })
}

export function useDatabaseInformation(params: WorkspaceAddress, database: string) {
  return useQuery(apiQuery(calls.getDatabaseInformation, { params: { ...params, ...databaseRef(database) } }))
}

export const schemasQuery = (params: WorkspaceAddress, database: string) =>
  apiQuery(calls.listSchemas, { params: { ...params, ...databaseRef(database) } })

export function useSchemas(params: WorkspaceAddress | null, database: string | undefined) {
  const query = schemasQuery(params ?? { account_trellis_code: '', workspace_address: '' }, database ?? '')
  return useQuery({ ...query, enabled: params !== null && database !== undefined })
}

export function useFirstSchema(params: WorkspaceAddress, database: string | undefined): string | undefined {
  const { data } = useQuery({ ...schemasQuery(params, database ?? ''), enabled: database !== undefined })
  return data?.includes('public') ? 'public' : data?.[0]
}

export interface TablePageQuery extends SchemaAddress {
  after: string | undefined
  limit: number
}

export const tablesQuery = (params: WorkspaceAddress, { after, limit, ...schema }: TablePageQuery) =>
  apiQuery(calls.listTables, {
    params: { ...params, ...schemaRef(schema) },
    query: { limit, ...(after !== undefined && { after }) },
  })

export interface TableFilter {
  search: string
  labelId: number | null
}

/** Keyset pagination: new tables shift nothing. */
export function useTables(params: WorkspaceAddress, schema: SchemaAddress, { search, labelId }: TableFilter) {
  const query = { ...(search && { search }), ...(labelId !== null && { label_id: labelId }) }
  const all = { ...params, ...schemaRef(schema) }
  type Page = z.infer<typeof TableList>
  return useInfiniteQuery<Page, ApiError, Page['items'], readonly unknown[], string | null>({
    queryKey: [calls.listTables.id, { params: all, query }, 'all pages'],
    queryFn: ({ pageParam, signal }) =>
      call(calls.listTables, { params: all, query: { ...query, ...(pageParam && { after: pageParam }) } }, { signal }),
    initialPageParam: null,
    getNextPageParam: (page) => page.next_after,
    select: ({ pages }) => pages.flatMap((page) => page.items),
  })
}

export function useDatabaseSearch(params: WorkspaceAddress | null, database: string | undefined, search: string) {
  const query = apiQuery(calls.searchDatabase, {
    params: { account_trellis_code: '', workspace_address: '', ...params, ...databaseRef(database ?? '') },
    query: { search, limit: 100 },
  })
  return useQuery({ ...query, enabled: params !== null && database !== undefined && search.trim() !== '' })
}

export function useSchemaSummary(params: WorkspaceAddress, schema: SchemaAddress) {
  return useQuery(apiQuery(calls.getSchemaSummary, { params: { ...params, ...schemaRef(schema) } }))
}

export function useSchemaDiagram(params: WorkspaceAddress, schema: SchemaAddress) {
  return useQuery({
    ...apiQuery(calls.getSchemaDiagram, { params: { ...params, ...schemaRef(schema) } }),
    staleTime: 0,
  })
}

export function useTableDetails(params: WorkspaceAddress, table: TableAddress | null) {
  const tableParams = tableRef(table ?? { database: '', schema: '', table: '' })
  return useQuery({
    ...apiQuery(calls.getTableDetails, { params: { ...params, ...tableParams } }),
    enabled: table !== null,
  })
}

export function useUsage(params: WorkspaceAddress, address: SchemaAddress & { table?: string | undefined }) {
  const query = apiQuery(calls.getTableUsage, {
    params: { ...params, ...schemaRef(address) },
    ...(address.table !== undefined && { query: { table_name: address.table } }),
  })
  return useQuery({ ...query, staleTime: 0, gcTime: 0 })
}

export function useTableDescription(params: WorkspaceAddress, table: TableAddress) {
  return useQuery(apiQuery(calls.getTableDescription, { params: { ...params, ...tableRef(table) } }))
}

const NAMES = [
  calls.getExplorerHome,
  calls.listSchemas,
  calls.getDatabaseInformation,
  calls.listTables,
  calls.searchDatabase,
  calls.getSchemaSummary,
  listLabels,
]

export function useSetTableDescription() {
  return useApiMutation(calls.setTableDescription, {
    invalidates: [calls.getTableDescription, calls.getTableDetails, calls.listTables],
    successText: 'Description saved.',
  })
}

export function useCreateSchema() {
  return useApiMutation(calls.createSchema, { invalidates: NAMES, successText: 'Schema created.' })
}

export function useRenameSchema() {
  return useApiMutation(calls.renameSchema, { successText: 'Schema renamed.' })
}

export function useDeleteSchema() {
  return useApiMutation(calls.deleteSchema, { invalidates: [listDeletions] })
}

export function useCreateTable() {
  return useApiMutation(calls.createTable, { invalidates: NAMES, successText: 'Table created.' })
}

export function useRenameTable() {
  return useApiMutation(calls.renameTable, { successText: 'Table renamed.' })
}

export function useDeleteTable() {
  return useApiMutation(calls.deleteTable, { invalidates: [listDeletions] })
}

/** Call it after leaving the pages of a renamed or deleted object: their queries would be 404. */
export function useRefreshNames(): () => Promise<void> {
  const client = useQueryClient()
  return async () => {
    await Promise.all(NAMES.map(({ id }) => client.invalidateQueries({ queryKey: [id] })))
    client.removeQueries({ queryKey: [calls.getTableDetails.id], type: 'inactive' })
  }
}
