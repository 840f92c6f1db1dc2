import { randomBytes } from 'node:crypto'
import type { APIRequestContext, Page } from '@playwright/test'
import { openControlDb } from '@trellis/control-db/database'
import { getEnvironment } from './environment.ts'
import type { Mailbox } from './mailbox.ts'

export interface Person {
  email: string
  password: string
  firstName: string
  surname: string
}

export const PASSWORD = 'Correct-Horse-7'
/** Cheap to verify: a hash stores its own cost. */
const PASSWORD_HASH = '$argon2id$v=19$m=8,t=1,p=1$MLeIGva3EvmczhvWzkMchg$NYSrxG7MA4mHLnlAMLCnyJ0HAK7C/CNMmu5Q3FjXCyI'

export function newPerson(): Person {
  const id = randomBytes(5).toString('hex')
  return { email: `ada-${id}@example.com`, password: PASSWORD, firstName: 'Ada', surname: 'Lovelace' }
}

export async function post(request: APIRequestContext, path: string, data: object): Promise<unknown> {
  const response = await request.post(path, { data })
  if (!response.ok()) throw new Error(`${path} answered ${response.status()}: ${await response.text()}`)
  return ((await response.json()) as { data: unknown }).data
}

export async function signUp(request: APIRequestContext, mailbox: Mailbox): Promise<Person> {
  const person = newPerson()
  await post(request, '/auth/signup', person)
  const { code } = await mailbox.read(person.email, /activation/)
  await post(request, '/auth/signup/confirm', { email: person.email, code })
  return person
}

export async function givePerson(): Promise<Person> {
  const person = newPerson()
  const control = openControlDb({ url: getEnvironment().databaseUrl, max: 1 })
  try {
    await control.db
      .insertInto('profiles')
      .values({
        trellis_user_code: randomBytes(6).toString('hex'),
        email: person.email,
        first_name: person.firstName,
        surname: person.surname,
        password_hash: PASSWORD_HASH,
      })
      .execute()
    return person
  } finally {
    await control.close()
  }
}

/** Sets the cookie and token that the sign-in form would set. */
export async function signIn(page: Page, person: Person, then = '/workspaces'): Promise<void> {
  const { access_token } = (await post(page.request, '/auth/login', {
    email: person.email,
    password: person.password,
  })) as { access_token: string }
  await leaveApp(page)
  await page.evaluate(
    (token) => localStorage.setItem('trellis.token', token),
    JSON.stringify({ access_token, email: person.email }),
  )
  await page.goto(`/initialize-profile?next=${encodeURIComponent(then)}`)
  await page.waitForURL((url) => url.pathname === new URL(then, url).pathname)
  await page.locator('#content').waitFor()
}

/** A page of this origin without the app: the running app would notice the missing token and abort a `goto`. */
export async function leaveApp(page: Page): Promise<void> {
  await page.goto('/favicon.svg')
}

export async function giveView(person: Person, accountCode: string, address: string): Promise<void> {
  const control = openControlDb({ url: getEnvironment().databaseUrl, max: 1 })
  const { db } = control
  try {
    const profile = await db
      .selectFrom('profiles')
      .select('id')
      .where('email', '=', person.email)
      .executeTakeFirstOrThrow()
    const workspace = await db
      .selectFrom('workspaces')
      .innerJoin('accounts', 'accounts.id', 'workspaces.account_id')
      .select(['workspaces.id', 'workspaces.account_id'])
      .where('accounts.trellis_code', '=', accountCode)
      .where('workspaces.workspace_address', '=', address)
      .executeTakeFirstOrThrow()
    const of = { account_id: workspace.account_id, profile_id: profile.id }
    await db
      .insertInto('account_members')
      .values({ ...of, role: 'account_view' })
      .execute()
    await db
      .insertInto('workspace_members')
      .values({ ...of, workspace_id: workspace.id, role: 'workspace_viewer' })
      .execute()
  } finally {
    await control.close()
  }
}

export async function giveAccount(
  person: Person,
  workspaces: readonly string[] = ['Marketing', 'Finance'],
): Promise<string> {
  const control = openControlDb({ url: getEnvironment().databaseUrl, max: 1 })
  const { db } = control
  const code = `acme${randomBytes(4).toString('hex')}`
  try {
    const profile = await db
      .selectFrom('profiles')
      .select('id')
      .where('email', '=', person.email)
      .executeTakeFirstOrThrow()
    const account = await db
      .insertInto('accounts')
      .values({ trellis_code: code, name: 'Acme Analytics', account_type: 'team' })
      .returning('id')
      .executeTakeFirstOrThrow()
    await db
      .insertInto('account_members')
      .values({ account_id: account.id, profile_id: profile.id, role: 'owner' })
      .execute()
    for (const name of workspaces) {
      const workspace_address = name.toLowerCase()
      await db
        .insertInto('workspaces')
        .values({ account_id: account.id, trellis_code: `${code}-${workspace_address}`, name, workspace_address })
        .execute()
    }
    return code
  } finally {
    await control.close()
  }
}
