import { confirmSignup, login, signup } from '@trellis/contract/identity/identity.endpoints'
import { hashSync } from '@node-rs/argon2'
import { generateTrellisCode } from '../platform/trellis-code.ts'
import type { TestApp } from './test-app.ts'
import type { TestClient } from './test-client.ts'

export const PASSWORD = 'Str0ng!pass'
/** A hash stores its own cost: with the real one, sign-ins would take a tenth of the tests' time. */
const CHEAP_HASH = hashSync(PASSWORD, { memoryCost: 8, timeCost: 1, parallelism: 1 })

export async function makePerson(app: TestApp, email: string) {
  return await app.database.db
    .insertInto('profiles')
    .values({
      trellis_user_code: generateTrellisCode(),
      email,
      first_name: 'Test',
      surname: 'Person',
      password_hash: CHEAP_HASH,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
}

export async function signInAs(app: TestApp, email: string, password = PASSWORD): Promise<TestClient> {
  const client = app.client()
  const answer = await client.call(login, { body: { email, password } })
  if (answer.status !== 200) throw new Error(`sign-in of ${email} failed: ${answer.text}`)
  client.token = answer.data.access_token
  return client
}

export async function readMail(app: TestApp, to: string, about: { subject?: RegExp; after?: number } = {}) {
  const { subject = /./, after = 0 } = about
  for (let tries = 0; tries < 300; tries += 1) {
    const rows = await app.database.db
      .selectFrom('mailbox_messages')
      .selectAll()
      .where('to_address', '=', to)
      .where('id', '>', after)
      .orderBy('id', 'desc')
      .execute()
    const found = rows.find((row) => subject.test(row.subject))
    if (found) return found
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error(`no mail to ${to} came`)
}

export function codeIn(mail: { text: string | null }): string {
  const code = /\b(\d{6})\b/.exec(mail.text ?? '')?.[1]
  if (!code) throw new Error(`no code in: ${mail.text}`)
  return code
}

export async function signUpWithMail(app: TestApp, email: string, password = PASSWORD): Promise<TestClient> {
  const client = app.client()
  await client.call(signup, { body: { firstName: 'Test', surname: 'Person', email, password } })
  const code = codeIn(await readMail(app, email))
  const confirmed = await client.call(confirmSignup, { body: { email, code } })
  if (confirmed.status !== 200) throw new Error(`activation failed: ${confirmed.text}`)
  return client
}
