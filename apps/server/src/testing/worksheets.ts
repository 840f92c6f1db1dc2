import * as branches from '@trellis/contract/worksheets/branches.endpoints'
import * as projects from '@trellis/contract/worksheets/projects.endpoints'
import { type TestAccount, joinNewPerson, makeAccount, makeWorkspaceRow } from './accounts.ts'
import type { TestApp } from './test-app.ts'
import type { TestClient } from './test-client.ts'

export interface TestProject {
  readonly account: TestAccount
  readonly workspace: { id: number; code: string }
  readonly tenant: { account_trellis_code: string; workspace_address: string }
  readonly projectId: string
  join(role: 'workspace_admin' | 'workspace_editor' | 'workspace_viewer'): Promise<Writer>
  readonly owner: Writer
}

const ROLE_IDS = { workspace_viewer: 1, workspace_editor: 2, workspace_admin: 3 }

export async function makeProject(app: TestApp, givenTestAccount?: TestAccount): Promise<TestProject> {
  const account = givenTestAccount ?? (await makeAccount(app))
  const address = `sheets${Math.random().toString(36).slice(2, 10)}`
  const workspace = await makeWorkspaceRow(app, account, address)
  const tenant = { account_trellis_code: account.code, workspace_address: address }
  const { data } = await account.owner.call(projects.createProject, { params: tenant, body: { name: 'Reports' } })
  const projectId = data.project_id
  return {
    account,
    workspace,
    tenant,
    projectId,
    owner: createWriter(account.owner, tenant, projectId),
    join: async (role) => {
      const person = await joinNewPerson(app, account, {
        role: 1,
        workspaces: [{ workspace_trellis_code: workspace.code, workspace_role_id: ROLE_IDS[role] }],
      })
      return createWriter(person.client, tenant, projectId)
    },
  }
}

export type Writer = ReturnType<typeof createWriter>

export function createWriter(client: TestClient, tenant: TestProject['tenant'], project_id: string) {
  const params = { ...tenant, project_id }
  return {
    client,
    params,
    create: (name: string, content = '', folder_id = 'root') =>
      client.call(projects.createWorksheet, { params: tenant, body: { project_id, name, content, folder_id } }),
    read: (file_id: string) => client.call(branches.getUserFile, { params: { ...params, file_id } }),
    update: (file_id: string, change: { content?: string; version?: string; name?: string; folder_id?: string }) =>
      client.call(projects.updateWorksheet, { params: tenant, body: { project_id, file_id, ...change } }),
    write: async (file_id: string, content: string) => {
      const { data } = await client.call(branches.getUserFile, { params: { ...params, file_id } })
      const body = { project_id, file_id, content, version: data.version }
      return await client.call(projects.updateWorksheet, { params: tenant, body })
    },
    remove: (file_id: string) =>
      client.call(projects.deleteWorksheet, { params: tenant, query: { project_id, file_id } }),
    restore: (file_id: string, version: { commit_id?: string; draft_version_id?: number }) =>
      client.call(projects.restoreWorksheet, { params: tenant, body: { project_id, file_id, ...version } }),
    pull: () => client.call(branches.pullLiveBranch, { params: tenant, body: { project_id } }),
    push: (message = 'A change', file_ids?: string[]) =>
      client.call(branches.pushToLiveBranch, { params: tenant, body: { project_id, message, file_ids } }),
    branch: async () => (await client.call(branches.getUserBranch, { params })).data,
    conflicts: async () => (await client.call(branches.listConflicts, { params })).data,
    resolve: (file_id: string, keep: 'mine' | 'theirs' | 'merged', content?: string) =>
      client.call(branches.resolveConflict, { params: tenant, body: { project_id, file_id, keep, content } }),
    trees: async () => (await client.call(projects.getBothTrees, { params })).data,
    versions: async (file_id: string) =>
      (await client.call(branches.listDraftVersions, { params: { ...params, file_id } })).data,
    history: async (file_id: string) =>
      (await client.call(branches.listFileHistory, { params: { ...params, file_id } })).data.items,
    live: (file_id: string) => client.call(branches.getLiveFile, { params: { ...params, file_id } }),
  }
}
