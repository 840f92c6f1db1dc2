import { Readable } from 'node:stream'
import type { SystemCtx, HttpExchange, WorkspaceCtx } from '../../platform/ctx.ts'
import type { DemoWorkspace } from './demo.repository.ts'

const NO_HTTP: HttpExchange = {
  ip: '',
  isFromThisMachine: true,
  userAgent: '',
  authorization: undefined,
  wantsRefreshInBody: false,
  signal: new AbortController().signal,
  bytes: () => Readable.from([]),
  form: async () => ({ fields: {}, isWhole: true }),
  signedIn: async () => {
    throw new Error('Nobody is signed in.')
  },
  addAuditDetail: () => undefined,
  auditDetail: {},
  auditNow: () => undefined,
  cookie: () => undefined,
  setCookie: () => undefined,
}

export const demoCtx = (ctx: SystemCtx, workspace: DemoWorkspace): WorkspaceCtx => ({
  ...ctx,
  db: ctx.db as unknown as WorkspaceCtx['db'],
  http: NO_HTTP,
  actor: {
    profileId: workspace.profile_id,
    userCode: '',
    email: workspace.email,
    firstName: workspace.first_name,
    surname: workspace.surname,
    sessionId: null,
    scopes: null,
  },
  account: { id: workspace.account_id, code: workspace.account_code, role: 'owner', type: 'internal', planEnd: null },
  workspace: {
    id: workspace.workspace_id,
    code: workspace.workspace_code,
    address: workspace.address,
    role: 'workspace_admin',
  },
})
