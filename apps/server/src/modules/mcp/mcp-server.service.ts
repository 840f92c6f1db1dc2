import { McpServer, createMcpHandler, fromJsonSchema } from '@modelcontextprotocol/server'
import { allows } from '@trellis/contract/core/permissions'
import { WorkspaceDbError } from '@trellis/workspace-db/errors'
import { AppError } from '../../platform/app-error.ts'
import type { WorkspaceCtx } from '../../platform/ctx.ts'
import { assertPlanRuns } from '../billing/plan-gate.service.ts'
import type { AgentTool } from './agent-tool.ts'
import { askAssistant, listAiProjects } from './tools/ask-assistant.ts'
import { describeTable } from './tools/describe-table.ts'
import { listDataflows } from './tools/list-dataflows.ts'
import { listTables } from './tools/list-tables.ts'
import { runGuardedSql } from './tools/run-sql.ts'
import { runTaskBlock } from './tools/run-task-block.ts'
import { listSparks, readSpark } from './tools/sparks.ts'
import { listWorksheets, readWorksheet } from './tools/worksheets.ts'

const TOOLS: readonly AgentTool[] = [
  listTables,
  describeTable,
  runGuardedSql,
  listDataflows,
  runTaskBlock,
  listWorksheets,
  readWorksheet,
  listAiProjects,
  askAssistant,
  listSparks,
  readSpark,
]
const MAX_BODY_BYTES = 1024 * 1024

export async function handleAgentRequest(ctx: WorkspaceCtx, request: Request): Promise<Response> {
  const handler = createMcpHandler(() => buildServer(ctx), {
    maxRequestBodySize: MAX_BODY_BYTES,
    onerror: (error) => ctx.log.debug({ err: error }, 'a request of an agent was not understood'),
  })
  return await handler.fetch(request)
}

function buildServer(ctx: WorkspaceCtx): McpServer {
  const server = new McpServer({ name: 'trellis', version: '1.0.0' })
  const callerRoles = { accountRole: ctx.account.role, workspaceRole: ctx.workspace.role }
  for (const tool of TOOLS.filter(({ permission }) => allows(permission, callerRoles))) {
    const inputSchema = fromJsonSchema<Record<string, unknown>>({
      type: 'object',
      properties: tool.arguments,
      required: [...(tool.required ?? [])],
    } as never)
    const { name, description } = tool
    const annotations = { readOnlyHint: !tool.isWrite }
    server.registerTool(
      name,
      { description, inputSchema, annotations },
      async (input) => await callTool(ctx, tool, input),
    )
  }
  return server
}

async function callTool(ctx: WorkspaceCtx, tool: AgentTool, input: Readonly<Record<string, unknown>>) {
  try {
    checkWrite(ctx, tool)
    return { content: [{ type: 'text' as const, text: JSON.stringify(await tool.run(ctx, input)) }] }
  } catch (error) {
    const isKnown = error instanceof AppError || error instanceof WorkspaceDbError
    if (!isKnown) ctx.log.error({ err: error, tool: tool.name }, 'a tool of an agent failed')
    const text = isKnown ? error.message : 'Something went wrong on our side.'
    return { isError: true, content: [{ type: 'text' as const, text }] }
  }
}

function checkWrite({ actor, account, clock }: WorkspaceCtx, { isWrite }: AgentTool): void {
  if (!isWrite) return
  if (actor.scopes !== null && !['write', 'run', 'admin'].some((scope) => actor.scopes?.includes(scope as never))) {
    throw new AppError('forbidden', 'This token needs the scope "write".')
  }
  assertPlanRuns({ account_type: account.type, stripe_plan_end_date: account.planEnd }, clock.now())
}
