import type { Page } from '@playwright/test'
import { giveAccount, type Person, signIn } from './people.ts'

export interface GivenDatabase {
  /** `/{account}/{workspace}/explorer/{database}` */
  path: string
  code: string
}

interface Made {
  id: number
  trellis_code: string
  state: string
}

/** Signs the person in with a workspace whose database is there. */
export async function giveDatabase(page: Page, person: Person): Promise<GivenDatabase> {
  const account = await giveAccount(person, [])
  await signIn(page, person)
  const token = await page.evaluate(() => localStorage.getItem('trellis.token') ?? '{}')
  const { access_token } = JSON.parse(token) as { access_token: string }
  const headers = { authorization: `Bearer ${access_token}` }
  const made = await page.request.post(`/api/${account}/workspace`, {
    headers,
    data: { name: 'Growth', workspace_address: 'growth' },
  })
  const { data: workspace } = (await made.json()) as { data: Made }
  for (let state = workspace.state; state !== 'online';) {
    await new Promise((resolve) => setTimeout(resolve, 300))
    const answer = await page.request.get(`/api/${account}/workspace/${workspace.id}`, { headers })
    state = ((await answer.json()) as { data: Made }).data.state
    if (state === 'failed') throw new Error('The database could not be made')
  }
  const code = `${workspace.trellis_code}-db`
  return { code, path: `/${account}/growth/explorer/${code}` }
}
