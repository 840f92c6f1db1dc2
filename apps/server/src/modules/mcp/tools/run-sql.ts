import { readTables } from '@trellis/workspace-db/catalogue/read-tables'
import { AppError } from '../../../platform/app-error.ts'
import { toColumnsOfResult } from '../../sql/result-columns.service.ts'
import { auditQuery } from '../../ai/tools/audit-query.service.ts'
import { withProjectSession } from '../../ai/tools/project-session.service.ts'
import { runSql, toQueryAccount } from '../../ai/tools/run-sql.service.ts'
import { type AgentTool, getText } from '../agent-tool.ts'
import { listVisibleTables } from '../visible-tables.ts'

export const runGuardedSql: AgentTool = {
  name: 'run_sql',
  description: 'Runs one SELECT over tables you may read, under a login that can read these and change nothing.',
  arguments: { sql: { type: 'string' }, project: { type: 'string', description: 'Code of an AI project' } },
  required: ['sql'],
  permission: 'sql:run',
  isWrite: false,
  run: async (ctx, input) => {
    const sql = getText(input, 'sql')
    const { integrationCode, tables } = await listVisibleTables(ctx, getText(input, 'project'))
    const place = { integrationCode, tables, signal: ctx.http.signal }
    const { account, result } = await withProjectSession(ctx, place, async (openedProjectSession) => {
      const addresses = tables.map(({ schema_name, table_name }) => ({ schema: schema_name, name: table_name }))
      return await runSql(openedProjectSession, {
        sql,
        tables: await readTables(openedProjectSession.session, addresses),
      })
    })
    await auditQuery(ctx, { sql, account, asker: 'agent' })
    if (!result) throw new AppError('statement_failed', account.refusal?.message ?? 'The query was refused.')
    return {
      columns: toColumnsOfResult(result).map(({ name, kind }) => ({ name, kind })),
      rows: result.rows,
      account: toQueryAccount(account),
    }
  },
}
