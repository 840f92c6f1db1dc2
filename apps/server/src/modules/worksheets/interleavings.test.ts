import * as branches from '@trellis/contract/worksheets/branches.endpoints'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestApp, startTestApp } from '../../testing/test-app.ts'
import { type Writer, makeProject } from '../../testing/worksheets.ts'
import { type Branches, type Files, followOrders, someOrders } from './testing/branch-model.ts'

const RUNS = 5
const MAX_ORDERS = 20

let app: TestApp

beforeAll(async () => {
  app = await startTestApp({ settings: { TRELLIS_RATE_LIMITS: 'off' } })
})
afterAll(async () => await app.close())

async function openBranches(): Promise<Branches & { people: Writer[] }> {
  const project = await makeProject(app)
  const people = [project.owner, await project.join('workspace_editor')]
  // Both start at the first commit, like the model.
  for (const writer of people) await writer.pull()
  const get = (person: number) => people[person] as Writer
  const read = async (person: number, files: readonly { file_id: string; path: string }[]): Promise<Files> => {
    const entries = files.map(async ({ file_id, path }) => {
      const { data } = await get(person).read(file_id)
      return [file_id, { path, text: data.content }] as const
    })
    return new Map(await Promise.all(entries))
  }
  const commits = async () => {
    const { data } = await get(0).client.call(branches.listProjectHistory, { params: get(0).params })
    return data.items.toReversed().map(({ commit_id }) => commit_id)
  }
  return {
    people,
    create: async (person, { path, text }) => (await get(person).create(path, text)).data.file_id,
    write: async (person, id, text) => expect((await get(person).write(id, text)).status).toBe(200),
    rename: async (person, id, name) => expect((await get(person).update(id, { name })).status).toBe(200),
    remove: async (person, id) => expect((await get(person).remove(id)).status).toBe(200),
    restore: async (person, id, commit) => {
      const commit_id = (await commits())[commit] ?? ''
      expect((await get(person).restore(id, { commit_id })).status).toBe(200)
    },
    pull: async (person) => void (await get(person).pull()),
    push: async (person) => (await get(person).push('Next')).status === 200,
    resolve: async (person, id, keep) => {
      const answer =
        'merged' in keep
          ? await get(person).resolve(id, 'merged', keep.merged)
          : await get(person).resolve(id, keep.side)
      expect(answer.status).toBe(200)
    },
    read: async (person) => await read(person, (await get(person).trees()).user.files),
    readConflicts: async (person) => new Set((await get(person).conflicts()).map(({ file_id }) => file_id)),
    readLive: async () => {
      const { live } = await get(0).trees()
      const entries = live.files.map(async ({ file_id, path }) => {
        const { data } = await get(0).live(file_id)
        return [file_id, { path, text: data.content }] as const
      })
      return new Map(await Promise.all(entries))
    },
  }
}

/** Live commits, working copies and backup versions. */
async function readEverything(told: {
  commits: readonly Files[]
  people: readonly Writer[]
  files: ReadonlySet<string>
}) {
  const texts = told.commits.flatMap((files) => [...files.values()].map(({ text }) => text))
  for (const writer of told.people) {
    for (const { file_id } of (await writer.trees()).user.files) texts.push((await writer.read(file_id)).data.content)
    for (const file_id of told.files) {
      for (const { draft_version_id } of await writer.versions(file_id)) {
        const params = { ...writer.params, file_id, draft_version_id }
        texts.push((await writer.client.call(branches.getDraftVersion, { params })).data.content)
      }
    }
  }
  return new Set(texts.flatMap((text) => text.split('\n')))
}

// The timeout is for hangs.
test(
  'every line two people write is still there after any interleaving, unless they deleted it',
  { timeout: 300_000 },
  async () => {
    await fc.assert(
      fc.asyncProperty(someOrders(MAX_ORDERS), async (orders) => {
        const opened = await openBranches()
        const files = new Set<string>()
        const create: Branches['create'] = async (person, file) => {
          const id = await opened.create(person, file)
          files.add(id)
          return id
        }
        const { written, dropped, commits } = await followOrders({ ...opened, create }, orders)
        const found = await readEverything({ commits, people: opened.people, files })
        expect([...written].filter((line) => !dropped.has(line) && !found.has(line))).toEqual([])
      }),
      { numRuns: RUNS, endOnFailure: true },
    )
  },
)
