import * as actions from '@trellis/contract/actions/actions.endpoints'
import * as ai from '@trellis/contract/ai/ai-projects.endpoints'
import * as chats from '@trellis/contract/ai/conversations.endpoints'
import * as documents from '@trellis/contract/ai/documents.endpoints'
import * as scheduled from '@trellis/contract/ai/scheduled-questions.endpoints'
import type { Endpoint } from '@trellis/contract/core/endpoint'
import * as firewall from '@trellis/contract/database-admin/firewall.endpoints'
import * as profiles from '@trellis/contract/database-admin/profiles.endpoints'
import * as roles from '@trellis/contract/database-admin/roles.endpoints'
import * as canvas from '@trellis/contract/dataflows/canvas.endpoints'
import * as dataflows from '@trellis/contract/dataflows/dataflows.endpoints'
import * as labels from '@trellis/contract/explorer/labels.endpoints'
import * as rows from '@trellis/contract/explorer/rows.endpoints'
import * as webhooks from '@trellis/contract/runs/inbound-webhooks.endpoints'
import * as comments from '@trellis/contract/sparks/spark-comments.endpoints'
import * as sparks from '@trellis/contract/sparks/sparks.endpoints'
import * as uploads from '@trellis/contract/uploads/uploads.endpoints'
import * as branches from '@trellis/contract/worksheets/branches.endpoints'
import * as projects from '@trellis/contract/worksheets/projects.endpoints'
import { ordersFrom, testFlows } from '../modules/dataflows/testing/flows.ts'
import { addRun } from '../modules/dataflows/testing/made-up-runs.ts'
import type { TestApp } from './test-app.ts'
import type { Answer, CallInput, TestClient } from './test-client.ts'
import { sendPart } from './uploads.ts'
import { type ReadyWorkspace, makeReadyWorkspace } from './workspace.ts'

const EVERY_MONDAY = {
  scheduleType: 'Cron Schedule' as const,
  scheduleArgs: { cronExpression: '0 8 ? * 1 *', timeStandard: 'UTC' },
}

type Watch = (endpoint: Endpoint, answer: Answer) => void

export interface FilledWorkspace {
  readonly workspace: ReadyWorkspace
  /** Of the account's owner. */
  readonly call: TestClient['call']
  readonly ids: Readonly<Record<string, string>>
}

/** A workspace on a real database that holds one thing of every kind. */
export async function fillWorkspace(app: TestApp, watch: Watch = () => undefined): Promise<FilledWorkspace> {
  const workspace = await makeReadyWorkspace(app)
  await workspace.sql(
    'create table data.orders (id int primary key, buyer text, amount numeric, placed timestamptz)',
    "insert into data.orders values (1, 'Ada', 12.5, '2026-01-02'), (2, 'Grace', 3, '2026-02-03')",
  )
  const { owner } = workspace.account
  const call: FilledWorkspace['call'] = async (endpoint, input: CallInput = {}) => {
    const answer = await owner.call(endpoint, { ...input, params: { ...workspace.params, ...input.params } })
    if (answer.status !== 200) throw new Error(`${endpoint.id}: ${answer.text}`)
    watch(endpoint as Endpoint, answer)
    return answer
  }
  const place = { app, workspace, call }
  const ids = {
    ...(await fillDataflows(place)),
    ...(await fillDatabase(place)),
    ...(await fillWorksheets(place)),
    ...(await fillAi(place)),
  }
  return { workspace, call, ids }
}

interface FillTarget {
  readonly app: TestApp
  readonly workspace: ReadyWorkspace
  readonly call: FilledWorkspace['call']
}

async function fillDataflows({ app, workspace, call }: FillTarget) {
  const flows = await testFlows(app, workspace)
  const folder = await call(dataflows.createDataflowFolder, { body: { name: 'Folder' } })
  const flow = await flows.dataflow('Flow')
  const connection = await flows.connection('Samples')
  const group = await call(canvas.putCanvasGroup, {
    body: { dataflow_trellis_code: flow, name: 'Group', color: 'blue' },
  })
  const source = await flows.source(flow, 'Source', ordersFrom(connection))
  const destination = await flows.destination(flow, 'Destination')
  const sql = await flows.sql(flow, 'SQL')
  await flows.connect(source, sql)
  await flows.publish(sql)
  await call(webhooks.createInboundWebhook, { params: { trellis_code: flow } })
  const run = await addRun(app, sql, { status: 'FAILED', message: 'No.' })
  return {
    dataflowFolder: folder.data.trellis_code,
    dataflow: flow,
    connection,
    canvasGroup: group.data.trellis_code,
    source,
    destination,
    sql,
    run: run.code,
    flowRun: run.flowRunCode,
  }
}

async function fillDatabase({ workspace, call }: FillTarget) {
  const of = workspace.database
  const table = { schema_name: 'data', table_name: 'orders' }
  const content = Buffer.from('id,buyer\n1,Ada\n')
  const start = await call(uploads.startUpload, {
    body: { ...of, schema_name: 'data', original_filename: 'shop.csv', size_bytes: content.length },
  })
  const { file_id } = start.data
  await sendPart(workspace.account.owner, { ...workspace.tenant, file_id, part: 1 }, content)
  await call(uploads.finishUpload, { params: { file_id } })
  const label = await call(labels.createLabel, { body: { name: 'Label', color: 'blue' } })
  await call(labels.addLabelToTable, { body: { ...of, ...table, label_id: label.data.id } })
  const exported = await call(rows.exportTable, { params: table, body: { format: 'csv' } })
  const role = await call(roles.createDatabaseRole, {
    body: { ...of, name: 'Role', description: '', grants: [{ template: 'reader', schema_name: 'data' }] },
  })
  const role_trellis_codes = [role.data.role_trellis_code]
  const group = await call(roles.createDatabaseGroup, {
    body: { ...of, name: 'Group', description: '', role_trellis_codes, profile_trellis_codes: [] },
  })
  const outside = await call(profiles.createExternalProfile, {
    body: { ...of, name: 'Tool', description: '', role_trellis_codes, group_trellis_codes: [], expires_at: null },
  })
  await call(firewall.addFirewallRule, { body: { ...of, name: 'Office', cidr: '203.0.113.7/32' } })
  return {
    file: file_id,
    label: String(label.data.id),
    exportJob: exported.data.job_id,
    role: role.data.role_trellis_code,
    group: group.data.group_trellis_code,
    outsideProfile: outside.data.profile.profile_trellis_code,
  }
}

async function fillWorksheets({ call }: FillTarget) {
  const project = await call(projects.createProject, { body: { name: 'Reports' } })
  const { project_id } = project.data
  const folder = await call(projects.createFolder, { body: { project_id, name: 'Folder', parent_id: 'root' } })
  const worksheet = await call(projects.createWorksheet, {
    body: { project_id, name: 'Orders', content: 'select * from orders', folder_id: 'root' },
  })
  await call(branches.pushToLiveBranch, { body: { project_id, message: 'First' } })
  return { worksheetProject: project_id, worksheet: worksheet.data.file_id, folder: folder.data.folder_id }
}

async function fillAi({ workspace, call }: FillTarget) {
  const createdResponse = await call(ai.createAiProject, { body: { name: 'Sales', description: '' } })
  const { project_trellis_code } = createdResponse.data
  const project = { project_trellis_code }
  const tables = [{ schema_name: 'data', table_name: 'orders' }]
  await call(ai.updateAiProjectTables, { params: project, body: { tables } })
  const context = await call(ai.createBusinessContext, {
    body: { ...project, kind: 'text', name: 'Revenue', text: 'Without tax.' },
  })
  const begun = await call(chats.createConversation, { body: project })
  const { conversation_trellis_code } = begun.data
  const sentResponse = await call(chats.sendMessage, {
    params: { conversation_trellis_code },
    body: { text: 'how many orders' },
  })
  const file = await call(documents.uploadText, { body: { name: 'Terms', text: 'Thirty days.', ...project } })
  const action = await call(actions.createActionItem, { body: { action_type: 'help' } })
  const question = await call(scheduled.createScheduledQuestion, {
    body: { ...project, question: 'how many orders', schedule: EVERY_MONDAY },
  })
  const origin = { kind: 'query' as const, ...workspace.database, sql: 'select buyer, amount from orders' }
  const spark = await call(sparks.createSpark, { body: { ...project, name: 'Orders', origin } })
  const { spark_trellis_code } = spark.data
  const version = await call(sparks.getLatestSparkVersion, { params: { spark_trellis_code } })
  const comment = await call(comments.createSparkComment, { params: { spark_trellis_code }, body: { text: 'Look' } })
  return {
    aiProject: project_trellis_code,
    context: context.data.context_trellis_code,
    conversation: conversation_trellis_code,
    answer: sentResponse.data.answer.message_trellis_code,
    document: file.data.file_id,
    action: action.data.action_id,
    scheduledQuestion: question.data.question_trellis_code,
    spark: spark_trellis_code,
    sparkVersion: version.data.spark_version_trellis_code,
    comment: comment.data.spark_comment_trellis_code,
  }
}
