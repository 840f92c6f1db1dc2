import { type SqlAssist, useSqlAssist } from '../../../../sql-language/worker/use-sql-assist.ts'
import { useDataflowsPlace } from '../../dataflows.queries.ts'
import { useOwnTables } from '../use-own-tables.ts'

/** Completion and checks for SQL on the workspace's own database. */
export function useOwnSqlAssist(): SqlAssist {
  const { address } = useDataflowsPlace()
  const { database } = useOwnTables()
  return useSqlAssist({ ...address, integration_trellis_code: database })
}
