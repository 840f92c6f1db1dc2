import { type SqlAssist, useSqlAssist } from '../../../../sql-language/worker/use-sql-assist.ts'
import { useDataflowsScope } from '../../dataflows.queries.ts'
import { useOwnTables } from '../use-own-tables.ts'

export function useOwnSqlAssist(): SqlAssist {
  const { address } = useDataflowsScope()
  const { database } = useOwnTables()
  return useSqlAssist({ ...address, integration_trellis_code: database })
}
