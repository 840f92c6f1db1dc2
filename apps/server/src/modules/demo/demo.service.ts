import { randomInt } from 'node:crypto'
import { transaction } from '@trellis/control-db/database'
import { enqueue } from '@trellis/jobs/enqueue'
import type { SystemCtx } from '../../platform/ctx.ts'
import { createInternalAccount } from '../accounts/accounts.service.ts'
import { managedCode } from '../../platform/workspace-database/open-database.ts'
import { hasProfiles, createProfile } from '../identity/identity.service.ts'
import { addSampleIntegrations } from '../integrations/sample-integrations.service.ts'
import { addWorkspace } from '../workspaces/workspaces.service.ts'
import { createDemoProject } from '../worksheets/worksheets.service.ts'
import { DEMO_WORKSHEETS } from './demo-worksheets.ts'
import { fillSample } from './demo.jobs.ts'

const EMAIL = 'demo@trellis.local'
const LETTERS = 'abcdefghjkmnpqrstuvwxyz'

export interface Demo {
  email: string
  password?: string
}

export async function ensureDemo(ctx: SystemCtx): Promise<Demo | undefined> {
  if (await hasProfiles(ctx)) return (await hasProfiles(ctx, EMAIL)) ? { email: EMAIL } : undefined
  const password = generateDemoPassword()
  const made = await transaction(ctx, async (ctx) => {
    const profile = await createProfile(ctx, { email: EMAIL, firstName: 'Demo', surname: 'Profile', password })
    if (!profile) return undefined
    const accountId = await createInternalAccount(ctx, { name: 'Demo', owner: profile.id })
    const workspace = await addWorkspace(ctx, { accountId, name: 'Demo shop', address: 'shop', createdBy: profile.id })
    if (workspace) {
      const integration_code = managedCode(workspace.code)
      await enqueue(ctx, fillSample, { workspace_id: workspace.id, integration_code })
      await addSampleIntegrations(ctx, { accountId, workspaceId: workspace.id, createdBy: profile.id })
      await createDemoProject(ctx, {
        accountId,
        workspaceId: workspace.id,
        createdBy: profile.id,
        files: DEMO_WORKSHEETS,
      })
    }
    return profile
  })
  return made ? { email: EMAIL, password } : { email: EMAIL }
}

function generateDemoPassword(): string {
  const word = () => Array.from({ length: 5 }, () => LETTERS[randomInt(LETTERS.length)]).join('')
  const capital = LETTERS[randomInt(LETTERS.length)]?.toUpperCase()
  return `${capital}${word()}-${word()}-${randomInt(1000, 10_000)}`
}
