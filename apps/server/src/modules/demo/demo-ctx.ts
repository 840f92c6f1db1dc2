import { Readable } from 'node:stream'
import type { SystemCtx, HttpExchange, WorkspaceCtx } from '../../platform/ctx.ts'
import type { DemoPlace } from './demo.repository.ts'

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

export const demoCtx = (ctx: SystemCtx, place: DemoPlace): WorkspaceCtx => ({
  ...ctx,
  db: ctx.db as unknown as WorkspaceCtx['db'],
  http: NO_HTTP,
  actor: {
    profileId: place.profile_id,
    userCode: '',
    email: place.email,
    firstName: place.first_name,
    surname: place.surname,
    sessionId: null,
    scopes: null,
  },
  account: { id: place.account_id, code: place.account_code, role: 'owner', type: 'internal', planEnd: null },
  workspace: { id: place.workspace_id, code: place.workspace_code, address: place.address, role: 'workspace_admin' },
})
