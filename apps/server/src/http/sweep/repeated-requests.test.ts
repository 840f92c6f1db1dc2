import { createAccount } from '@trellis/contract/accounts/accounts.endpoints'
import { allEndpoints } from '@trellis/contract/all-endpoints'
import type { Endpoint } from '@trellis/contract/core/endpoint'
import { listDatabaseRoles } from '@trellis/contract/database-admin/roles.endpoints'
import { exportDataflow } from '@trellis/contract/dataflows/dataflow-yaml.endpoints'
import { listInvited } from '@trellis/contract/members/members.endpoints'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addRun } from '../../modules/dataflows/testing/made-up-runs.ts'
import { joinNewPerson } from '../../testing/accounts.ts'
import { findValidInput } from '../../testing/arbitrary-input.ts'
import { type FilledWorkspace, fillWorkspace } from '../../testing/filled-workspace.ts'
import { type TestApp, startTestApp } from '../../testing/test-app.ts'
import type { Answer, TestClient } from '../../testing/test-client.ts'

/** POSTs without an Idempotency-Key, and why sending one twice harms nothing. A new one has to be put somewhere. */
const WITHOUT_A_KEY = {
  'opens a session or answers a code that works once': [
    'login',
    'loginAlias',
    'confirmSignup',
    'confirmSignupAlias',
    'refreshToken',
    'startSso',
    'confirmSecondFactor',
    'decideAgentRequest',
    'acceptInvite',
  ],
  'sends or shows a secret anew, of which the newest counts; limited': [
    'resendSignupCode',
    'forgotPassword',
    'forgotPasswordAlias',
    'setUpSecondFactor',
    'renewRecoveryCodes',
  ],
  'reads only': [
    'planMemberAccess',
    'previewRowEdits',
    'suggestLoginName',
    'testConnection',
    'checkReach',
    'planDatabaseChange',
    'previewFile',
    'previewSource',
    'tryRestSource',
    'validateGaql',
    'previewDueTimes',
    'sampleBlock',
    'previewSpark',
    'checkSparkSource',
  ],
  'sets a state, in which it is afterwards, once or twice': [
    'logout',
    'disableSecondFactor',
    'changePassword',
    'readNotifications',
    'transferOwnership',
    'restoreDeleted',
    'leaveAccount',
    'resetSandbox',
    'renameSchema',
    'renameTable',
    'updateLabel',
    'deleteLabel',
    'addLabelToTable',
    'removeLabelFromTable',
    'setTableLabels',
    'restoreDeletion',
    'updateFile',
    'linkIntegration',
    'restoreDataflow',
    'restoreBlock',
    'restoreWorksheet',
    'discardChanges',
    'pullLiveBranch',
    'pushToLiveBranch',
    'shareWorksheetChart',
    'unlinkWorksheet',
    'finishUpload',
    'cancelTaskRun',
    'cancelFlowRun',
    'cancelSqlJob',
    'keepSqlJobRunning',
    'endSqlTransaction',
    'stopRunningQuery',
    'cancelUploadTask',
    'cancelMessage',
    'rateMessage',
  ],
  'refused the second time: the thing is in another state, or has another version, or is at work': [
    'undoRowEdits',
    'preProcessFile',
    'validateFile',
    'deliverData',
    'undoLoad',
    'validateIntegration',
    'settleQuarantine',
    'undoTaskRun',
    'publishBlock',
    'restoreBlockVersion',
    'resolveConflict',
    'updateFromWorksheet',
    'retryUploadTask',
    'runScheduledQuestion',
  ],
  'a file in a form: a second one is loaded nowhere until it is delivered; startUpload takes a key': [
    'uploadCsv',
    'uploadProjectDocument',
    'uploadConversationDocument',
    'uploadDocument',
  ],
  'does it twice, as asked: a statement, a test message, a question to the model': [
    'executeSql',
    'testDataflowAlerts',
    'askModelConsole',
  ],
}

/** They need a payment, or a run that waits for a person: tried in tests of their modules. */
const ELSEWHERE = ['createAccount', 'decideSchemaChange']

const SCHEDULE = { scheduleType: 'Cron Schedule', scheduleArgs: { cronExpression: '0 8 ? * 1 *', timeStandard: 'UTC' } }
const METADATA = { x: 0, y: 0, note: '', group_trellis_code: null }

type Input = { params?: Record<string, unknown>; body?: unknown }

let app: TestApp
let filled: FilledWorkspace
let owner: TestClient
let inputs: Record<string, Input>

beforeAll(async () => {
  app = await startTestApp({ settings: { TRELLIS_RATE_LIMITS: 'off' } })
  filled = await fillWorkspace(app)
  owner = filled.workspace.account.owner
  inputs = {
    ...(await listAccountInputs()),
    ...(await listDatabaseInputs()),
    ...(await listFlowInputs()),
    ...listAiInputs(),
  }
})
afterAll(async () => {
  await filled.workspace.remove()
  await app.close()
})

async function listAccountInputs(): Promise<Record<string, Input>> {
  const { account, tenant } = filled.workspace
  const invite = (user_email: string) => [{ user_email, account_role_id: 2, workspace_roles: [] }]
  const params = { account_trellis_code: account.code }
  await owner.call(allEndpoints.find(({ id }) => id === 'inviteMembers') as Endpoint, {
    params,
    body: invite('open@example.com'),
  })
  const { data: open } = await owner.call(listInvited, { params })
  const person = { firstName: 'Test', surname: 'Person', password: 'Str0ng!pass' }
  return {
    signup: { body: { ...person, email: 'one@example.com' } },
    signupAlias: { body: { ...person, email: 'two@example.com' } },
    createTemporaryAccount: { body: { name: 'Bakery' } },
    createWorkspace: { params, body: { name: 'Second', workspace_address: 'second' } },
    inviteMembers: { params, body: invite('guest@example.com') },
    resendInvite: { params: { ...params, account_invite_id: (open as { id: number }[])[0]?.id } },
    createAccessToken: { body: { name: 'Token', scopes: ['read'], days: 1 } },
    createActionItem: { params: tenant, body: { action_type: 'help' } },
  }
}

async function listDatabaseInputs(): Promise<Record<string, Input>> {
  const { workspace, ids, call } = filled
  const of = workspace.database
  const table = { schema_name: 'data', table_name: 'orders' }
  const texts = { name: 'New', description: '' }
  const none = { role_trellis_codes: [ids['role']], group_trellis_codes: [] }
  const { account } = workspace
  const member = await joinNewPerson(app, account)
  const profile = await app.database.db
    .selectFrom('profiles')
    .select('trellis_user_code')
    .where('email', '=', member.email)
    .executeTakeFirstOrThrow()
  const { data: known } = await call(listDatabaseRoles)
  const editor = known.find(({ name }) => name === 'Workspace editor')
  const edits = [{ kind: 'insert', values: [{ column: 'buyer', value: 'Twice' }] }]
  await workspace.sql('create table data.notes (id int generated always as identity primary key, buyer text)')
  return {
    createSchema: { body: { ...of, schema_name: 'made' } },
    createTable: {
      body: {
        ...of,
        schema_name: 'data',
        table_name: 'made',
        columns: [{ name: 'id', type: 'integer', is_nullable: true, is_primary_key: false }],
      },
    },
    exportTable: { params: table, body: { format: 'csv' } },
    applyRowEdits: { params: { schema_name: 'data', table_name: 'notes' }, body: { edits } },
    createLabel: { body: { name: 'New', color: 'red' } },
    createDatabaseRole: { body: { ...of, ...texts, grants: [{ template: 'reader', schema_name: 'data' }] } },
    createDatabaseGroup: {
      body: { ...of, ...texts, role_trellis_codes: [ids['role']], profile_trellis_codes: [] },
    },
    createDatabaseProfile: {
      body: {
        ...of,
        trellis_user_code: profile.trellis_user_code,
        role_trellis_codes: [editor?.role_trellis_code],
        group_trellis_codes: [],
      },
    },
    createExternalProfile: { body: { ...of, ...texts, ...none, expires_at: null } },
    rotateExternalProfile: { body: { ...of, profile_trellis_code: ids['outsideProfile'], overlap_minutes: 60 } },
    addFirewallRule: { body: { ...of, name: 'Home', cidr: '203.0.113.9/32' } },
    startUpload: { body: { ...of, schema_name: 'data', original_filename: 'new.csv', size_bytes: 10 } },
  }
}

async function listFlowInputs(): Promise<Record<string, Input>> {
  const { ids, call } = filled
  const flow = { trellis_code: ids['dataflow'] }
  const block = { task_block_trellis_code: ids['sql'] }
  const made = { dataflow_trellis_code: ids['dataflow'], metadata: METADATA }
  const yaml = (await call(exportDataflow, { params: flow })).text
  const other = await call(allEndpoints.find(({ id }) => id === 'createDataflow') as Endpoint, {
    body: { name: 'Other' },
  })
  const { trellis_code } = other.data as { trellis_code: string }
  const failedAddedRun = await addRun(app, ids['sql'] ?? '', { status: 'FAILED', message: 'No.' })
  const project_id = ids['worksheetProject']
  return {
    createIntegration: {
      body: {
        platform_trellis_code: 'sample_data',
        name: 'New',
        values: { shop: { orders_a_year: 1000, seed: 1 } },
      },
    },
    executeBlock: { params: block, body: {} },
    retryTaskRun: { params: { task_run_trellis_code: ids['run'] } },
    executeDataflow: { params: flow },
    retryFlowRun: { params: { flow_run_trellis_code: failedAddedRun.flowRunCode } },
    createInboundWebhook: { params: { trellis_code } },
    rotateInboundWebhook: { params: flow },
    renewAlertKey: { params: flow },
    createDataflow: { body: { name: 'New' } },
    createDataflowFolder: { body: { name: 'New' } },
    importDataflow: {
      body: { yaml: /"yaml":/.test(yaml) ? (JSON.parse(yaml) as { data: { yaml: string } }).data.yaml : yaml },
    },
    putCanvasGroup: { body: { dataflow_trellis_code: ids['dataflow'], name: 'New', color: 'red' } },
    createSourceBlock: { body: { ...made, name: 'New source' } },
    createTransformationBlock: { body: { ...made, name: 'New SQL' } },
    createDestinationBlock: { body: { ...made, name: 'New destination' } },
    createProject: { body: { name: 'New' } },
    createWorksheet: { body: { project_id, name: 'New', content: 'select 1', folder_id: 'root' } },
    createFolder: { body: { project_id, name: 'New', parent_id: 'root' } },
    runAsDataflow: {
      body: {
        project_id,
        file_id: ids['worksheet'],
        dataflow: { name: 'Nightly', folder_trellis_code: null },
        block_name: 'Orders',
        table: null,
      },
    },
  }
}

function listAiInputs(): Record<string, Input> {
  const { workspace, ids } = filled
  const project = { project_trellis_code: ids['aiProject'] }
  const origin = { kind: 'query', ...workspace.database, sql: 'select buyer from orders' }
  return {
    createAiProject: { body: { name: 'New', description: '' } },
    createBusinessContext: { body: { ...project, kind: 'text', name: 'New', text: 'New.' } },
    uploadText: { body: { ...project, name: 'New', text: 'New.' } },
    createScheduledQuestion: { body: { ...project, question: 'how many', schedule: SCHEDULE } },
    createConversation: { body: project },
    sendMessage: { params: { conversation_trellis_code: ids['conversation'] }, body: { text: 'how many orders' } },
    createSpark: { body: { ...project, name: 'New', origin } },
    createSparkComment: { params: { spark_trellis_code: ids['spark'] }, body: { text: 'New' } },
  }
}

const posts = allEndpoints.filter(({ method }) => method === 'POST')
const keyed = posts.filter(({ id, creates }) => creates && !ELSEWHERE.includes(id))

test('every POST takes an Idempotency-Key or stands among those that need none', () => {
  const without = posts.filter(({ creates }) => !creates).map(({ id }) => id)
  expect(without.toSorted()).toEqual(Object.values(WITHOUT_A_KEY).flat().toSorted())
  expect([...keyed.map(({ id }) => id), ...ELSEWHERE].toSorted()).toEqual(
    posts.flatMap(({ id, creates }) => (creates ? [id] : [])).toSorted(),
  )
  expect(createAccount.creates).toBe(true)
})

const send = async (endpoint: Endpoint, key: string, input: Input): Promise<Answer> =>
  await owner.call(endpoint, {
    ...input,
    params: { ...filled.workspace.params, ...input.params },
    headers: { 'idempotency-key': key },
  })

/** Of all tables of the control database, and the audit log's lines about this call. */
async function countRows(action: string): Promise<{ all: Record<string, number>; audited: number }> {
  const { pool } = app.database
  const { rows: tables } = await pool.query<{ name: string }>(
    "select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace and has_table_privilege(oid, 'select') order by 1",
  )
  const counts = tables.map(({ name }) => `(select count(*) from ${name})::int as ${name}`)
  const { rows } = await pool.query<Record<string, number>>(`select ${counts.join(', ')}`)
  const lines = await pool.query('select 1 from audit_lines where action = $1', [action])
  // The assistant writes its own lines while the test goes on.
  return { all: { ...rows[0], audit_lines: 0 }, audited: lines.rows.length }
}

const LONGER = [
  'name',
  'block_name',
  'user_email',
  'email',
  'text',
  'question',
  'table_name',
  'schema_name',
  'original_filename',
]

/** The same call with a longer name, or undefined for one that has nothing of the kind. */
function changeInput({ params, body }: Input): Input | undefined {
  const first = (Array.isArray(body) ? body[0] : body) as Record<string, unknown> | undefined
  const name = LONGER.find((key) => typeof first?.[key] === 'string')
  if (name === undefined) return undefined
  const changed = { ...first, [name]: `a${String(first?.[name])}` }
  return { ...(params && { params }), body: Array.isArray(body) ? [changed] : changed }
}

test.each(keyed.map((endpoint) => [endpoint.id, endpoint] as const))(
  '%s, sent three times at once and once more with one key, does it once',
  async (id, endpoint) => {
    const input = inputs[id] ?? findValidInput(endpoint, filled.workspace.tenant)
    const before = await countRows(id)
    const twins = await Promise.all([1, 2, 3].map(() => send(endpoint, `key-${id}`, input)))
    expect(
      twins.map(({ status }) => status),
      `What it is sent stands in \`inputs\`: ${twins[0]?.text}`,
    ).toEqual([200, 200, 200])
    expect(new Set(twins.map(({ text }) => text)).size).toBe(1)
    expect(twins.filter(({ headers }) => headers.get('idempotency-replayed') === 'true')).toHaveLength(2)
    const after = await countRows(id)
    expect(after.audited - before.audited).toBeLessThanOrEqual(1)
    const again = await send(endpoint, `key-${id}`, input)
    expect([again.status, again.text]).toEqual([200, twins[0]?.text])
    expect(await countRows(id)).toEqual(after)
    const other = changeInput(input)
    if (!other) return
    const refusedResponse = await send(endpoint, `key-${id}`, other)
    expect(refusedResponse.errors[0]?.code, refusedResponse.text).toBe('idempotency_key_reused')
  },
)

test('a row that was inserted three times with one key is there once', async () => {
  expect(await filled.workspace.sql('select count(*) from data.notes')).toEqual([['1']])
})
