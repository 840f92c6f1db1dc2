import type { TableLine } from '@trellis/contract/explorer/explorer.schemas'
import { useQueries, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { schemasQuery, tablesQuery, useDatabases } from '../explorer.queries.ts'
import type { SchemaAddress } from '../explorer-paths.ts'
import { useAddress, useExplorer } from '../use-explorer.ts'
import { useOpenNodes } from './open-nodes.ts'
import { nodeKey, treeRows, type Branch } from './tree-rows.ts'

const PAGE = 500

/** Loads only what is expanded or scrolled to. */
export function useTree() {
  const { params, key: workspace } = useExplorer()
  const address = useAddress()
  const client = useQueryClient()
  const open = useOpenNodes(workspace)
  const [pages, setPages] = useState<Readonly<Record<string, number>>>({})
  const databases = useDatabases(params)
  const first = databases.data?.[0]?.integration_trellis_code

  const shown = nodeKey(address.database ?? '', address.schema ?? '')
  const latest = useRef({ open, address })
  latest.current = { open, address }
  // On navigation only: otherwise nodes the person collapsed would expand again.
  useEffect(() => {
    const { isKnown, unfold } = latest.current.open
    const { database, schema } = latest.current.address
    if (database !== undefined) unfold(nodeKey(database), ...(schema === undefined ? [] : [nodeKey(database, schema)]))
    else if (first !== undefined && !isKnown) unfold(nodeKey(first))
  }, [shown, first])

  const openDatabases = (databases.data ?? [])
    .map((database) => database.integration_trellis_code)
    .filter((code) => open.has(nodeKey(code)))
  const schemas = useQueries({ queries: openDatabases.map((code) => schemasQuery(params, code)) })

  const openSchemas = openDatabases.flatMap((database, index) =>
    (schemas[index]?.data ?? [])
      .filter((schema) => open.has(nodeKey(database, schema)))
      .map((schema) => ({ database, schema })),
  )
  /** Each page's cursor comes from the previous page. */
  const pageQueries = (schema: SchemaAddress) => {
    const queries = [tablesQuery(params, { ...schema, after: undefined, limit: PAGE })]
    for (let index = 1; index < (pages[nodeKey(schema.database, schema.schema)] ?? 1); index += 1) {
      const before = queries.at(-1)
      const after = before && client.getQueryData(before.queryKey)?.next_after
      if (after === undefined || after === null) break
      queries.push(tablesQuery(params, { ...schema, after, limit: PAGE }))
    }
    return queries
  }
  const tableQueries = openSchemas.flatMap((schema) => pageQueries(schema).map((query) => ({ schema, query })))
  const tables = useQueries({ queries: tableQueries.map(({ query }) => query) })

  const getSchemas = (database: string): Branch<string> => {
    const result = schemas[openDatabases.indexOf(database)]
    return {
      items: result?.data ?? [],
      isLoading: result?.isPending ?? true,
      hasMore: false,
      problem: result?.error?.message ?? null,
    }
  }
  const getTables = (database: string, schema: string): Branch<TableLine> => {
    const ownTables = tables.filter((_, index) => {
      const of = tableQueries[index]?.schema
      return of?.database === database && of.schema === schema
    })
    const last = ownTables.at(-1)
    return {
      items: ownTables.flatMap((page) => page.data?.items ?? []),
      isLoading: last?.isPending ?? true,
      hasMore: ownTables.length > 0 && last?.data?.next_after !== null && !ownTables[0]?.isPending,
      problem: ownTables.find((page) => page.error)?.error?.message ?? null,
    }
  }
  const rows = treeRows({ databases: databases.data ?? [], isOpen: open.has, getSchemas, getTables })
  const retry = () => {
    for (const result of [...schemas, ...tables]) if (result.isError) void result.refetch()
  }
  /** Idempotent while a page is loading. */
  const loadMore = (of: string) => {
    const loaded = tableQueries.filter(
      ({ schema }, index) => nodeKey(schema.database, schema.schema) === of && tables[index]?.data,
    )
    setPages((old) => (old[of] === loaded.length + 1 ? old : { ...old, [of]: loaded.length + 1 }))
  }
  return { databases, rows, toggle: open.toggle, retry, loadMore }
}
