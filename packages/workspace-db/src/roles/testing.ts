import { randomBytes } from 'node:crypto'
import pg from 'pg'
import type { Cluster } from '../cluster.ts'
import { applyFirewall } from '../firewall/apply-firewall.ts'
import { toWorkspaceNames } from '../names.ts'
import { generatePassword, buildScramVerifier } from '../provision/credentials.ts'
import { findSchema } from '../schemas/find-schemas.ts'
import type { TestWorkspace } from '../testing.ts'
import type { Access, AccessProfile } from './access.ts'
import { applyAccess } from './apply-access.ts'
import type { Template } from './templates.ts'

const createSlug = (): string => randomBytes(4).toString('hex')

export interface TestLogin {
  readonly slug: string
  readonly user: string
  readonly password: string
}

export interface TestAccess {
  access: { roles: Access['roles'][number][]; groups: Access['groups'][number][]; profiles: AccessProfile[] }
  apply(verifiers?: Record<string, string>): Promise<string[]>
  readTag(schema: string): Promise<string>
  login(template: Template, schema: string | null): Promise<TestLogin>
  run(login: TestLogin, ...texts: string[]): Promise<unknown[]>
  connect(login: TestLogin, database?: string): Promise<pg.Client>
}

export async function testAccess(
  cluster: Cluster,
  workspace: Pick<TestWorkspace, 'key' | 'database'>,
): Promise<TestAccess> {
  const { key, database } = workspace
  await applyFirewall(cluster, {
    databases: [database],
    lines: [{ database, profile: null, cidr: '127.0.0.1/32' }],
  })
  const ownTestAccess: TestAccess = {
    access: { roles: [], groups: [], profiles: [] },
    apply: (verifiers = {}) => applyAccess(cluster, { key, access: ownTestAccess.access, verifiers }),
    readTag: async (schema) => {
      const foundSchema = await cluster.withAdmin(database, (client) =>
        findSchema(client, toWorkspaceNames(key), schema),
      )
      if (!foundSchema?.tag) throw new Error(`There is no schema ${schema}.`)
      return foundSchema.tag
    },
    login: async (template, schema) => {
      const [role, slug, password] = [createSlug(), createSlug(), generatePassword()]
      const tag = schema === null ? null : await ownTestAccess.readTag(schema)
      ownTestAccess.access.roles.push({ slug: role, grants: [{ template, tag }] })
      ownTestAccess.access.profiles.push({
        slug,
        loginName: `test_${slug}`,
        roles: [role],
        groups: [],
        connectionLimit: 5,
        logins: [{ suffix: 'a', validUntil: null }],
      })
      const user = `test_${slug}`
      await ownTestAccess.apply({ [user]: buildScramVerifier(password) })
      return { slug, user, password }
    },
    connect: async ({ user, password }, otherDatabase = database) => {
      const client = new pg.Client(cluster.loginConfig({ database: otherDatabase, user, password }))
      client.on('error', () => undefined)
      await client.connect()
      return client
    },
    run: async (login, ...texts) => {
      const client = await ownTestAccess.connect(login)
      try {
        let rows: unknown[] = []
        for (const text of texts) rows = (await client.query<unknown[]>({ text, rowMode: 'array' })).rows
        return rows
      } finally {
        await client.end()
      }
    },
  }
  return ownTestAccess
}
