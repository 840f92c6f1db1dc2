import { chmod, mkdir, symlink } from 'node:fs/promises'
import { request } from 'node:http'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type GitClient, openGit } from '../../../testing/git-client.ts'
import { type TestApp, startTestApp } from '../../../testing/test-app.ts'
import { type TestProject, type Writer, makeProject } from '../../../testing/worksheets.ts'

let app: TestApp
let project: TestProject
let anna: Writer
const opened: GitClient[] = []

beforeAll(async () => {
  app = await startTestApp({ settings: { TRELLIS_RATE_LIMITS: 'off' } })
})
beforeEach(async () => {
  project = await makeProject(app)
  anna = project.owner
})
afterAll(async () => {
  for (const client of opened) await client.remove()
  await app.close()
})

async function clone(writer: Writer = anna, ...options: string[]): Promise<GitClient> {
  const client = await openGit(app, { project, writer })
  opened.push(client)
  await client.git('clone', '-q', ...options, client.url, '.')
  return client
}

async function publish(name: string, text: string): Promise<string> {
  const { data } = await anna.create(name, text)
  await anna.push(`Add ${name}`)
  return data.file_id
}

test('what is published in the browser can be cloned, and what is pushed is seen in the browser', async () => {
  const fileId = await publish('Revenue', 'select 1;\n')
  const git = await clone()
  expect(await git.read('Revenue.sql')).toBe('select 1;\n')
  expect(await git.git('fsck', '--strict')).not.toContain('error')
  expect(await git.git('log', '--format=%s', 'main')).toBe('Add Revenue\nCreate project\n')
  await mkdir(join(git.folder, 'sales'))
  await git.commit('sales/new.sql', 'select 2;\n')
  await git.commit('Revenue.sql', 'select 1, 2;\n')
  await git.git('push', '-q', 'origin', 'main')
  expect((await anna.live(fileId)).data).toMatchObject({
    content: 'select 1, 2;\n',
    last_commit: { message: 'Change Revenue.sql', author: { name: 'Gita' } },
  })
  expect((await anna.trees()).live.files.map(({ path }) => path)).toEqual(['Revenue.sql', 'sales/new.sql'])
  expect((await anna.history(fileId)).map(({ change }) => change)).toEqual(['edited', 'added'])
  // One's own push needs no pull.
  expect(await anna.branch()).toMatchObject({ behind_count: 0, changes: [] })
})

test('a push that is not a fast-forward is refused as git refuses it, and goes through after a pull', async () => {
  const fileId = await publish('Shared', 'a\nb\nc\nd\ne\n')
  const git = await clone()
  await git.commit('Shared.sql', 'A\nb\nc\nd\ne\n')
  await anna.write(fileId, 'a\nb\nc\nd\nE\n')
  await anna.push('Large e')
  const refusedGitAnswer = await git.run('push', 'origin', 'main')
  expect(refusedGitAnswer.code).toBe(1)
  expect(refusedGitAnswer.text).toMatch(/\[rejected\]|\[remote rejected\]/)
  const forced = await git.run('push', '--force', 'origin', 'main')
  expect(forced.text).toMatch(/non-fast-forward/)
  expect((await anna.live(fileId)).data.content).toBe('a\nb\nc\nd\nE\n')
  await git.git('pull', '-q', '--no-rebase', '--no-edit', 'origin', 'main')
  await git.git('push', '-q', 'origin', 'main')
  expect((await anna.live(fileId)).data.content).toBe('A\nb\nc\nd\nE\n')
})

test('drafts are on the own branch, which nobody else sees; a push to it becomes drafts', async () => {
  const fileId = await publish('Draft', 'live\n')
  await anna.write(fileId, 'typed in the browser\n')
  const other = await clone(await project.join('workspace_editor'))
  expect(await other.git('branch', '-r')).not.toContain('users/')
  const { name } = await anna.branch()
  const git = await clone(anna, '-b', name)
  expect(await git.read('Draft.sql')).toBe('typed in the browser\n')
  await git.commit('Draft.sql', 'typed in the browser\nand in an editor\n')
  await git.commit('second.sql', 'new\n')
  await git.git('push', '-q', 'origin', name)
  expect((await anna.read(fileId)).data).toMatchObject({ content: 'typed in the browser\nand in an editor\n' })
  expect((await anna.branch()).changes).toMatchObject([
    { path: 'Draft.sql', change: 'edited' },
    { path: 'second.sql', change: 'added' },
  ])
  expect((await anna.live(fileId)).data.content).toBe('live\n')
  await anna.push('Both')
  await git.git('fetch', '-q')
  // The published commit has the branch as a parent, so it fast-forwards.
  await git.git('merge', '-q', '--ff-only', 'origin/main')
  expect(await git.git('status', '-sb')).toContain(name)
})

test('a draft typed after the clone is not lost by a push to the own branch', async () => {
  const fileId = await publish('Late', 'live\n')
  await anna.write(fileId, 'first\n')
  const { name } = await anna.branch()
  const git = await clone(anna, '-b', name)
  await anna.write(fileId, 'typed later\n')
  await git.commit('Late.sql', 'from the editor\n')
  const refusedGitAnswer = await git.run('push', '--force', 'origin', name)
  expect(refusedGitAnswer.code).toBe(1)
  expect((await anna.read(fileId)).data.content).toBe('typed later\n')
})

test('the own branch merged into main by git publishes the drafts under their ids', async () => {
  const { data: added } = await anna.create('Added in the browser', 'x\n')
  const { name } = await anna.branch()
  const git = await clone()
  await git.git('merge', '-q', '--no-ff', '-m', 'Merge my branch', `origin/${name}`)
  await git.git('push', '-q', 'origin', 'main')
  expect((await anna.live(added.file_id)).data).toMatchObject({ content: 'x\n' })
  expect(await anna.branch()).toMatchObject({ behind_count: 0, changes: [] })
})

test('main merged into the own branch by git is not offered for a pull again', async () => {
  const fileId = await publish('Merge here', '1\n2\n3\n4\n5\n')
  await anna.write(fileId, 'one\n2\n3\n4\n5\n')
  const { name } = await anna.branch()
  const git = await clone(anna, '-b', name)
  const ben = await project.join('workspace_editor')
  await ben.write(fileId, '1\n2\n3\n4\nfive\n')
  await ben.push('Five')
  await git.git('pull', '-q', '--no-rebase', '--no-edit', 'origin', 'main')
  await git.git('push', '-q', 'origin', name)
  expect(await anna.branch()).toMatchObject({ behind_count: 0, can_push: true })
  expect((await anna.read(fileId)).data.content).toBe('one\n2\n3\n4\nfive\n')
  expect((await anna.push('One')).status).toBe(200)
})

test('a file renamed by git keeps its id and history, also when it is edited on the way', async () => {
  const text = Array.from({ length: 20 }, (_, at) => `line ${at}\n`).join('')
  const fileId = await publish('Old name', text)
  const git = await clone()
  await mkdir(join(git.folder, 'folder'))
  await git.git('mv', 'Old name.sql', 'folder/new name.sql')
  await git.commit('folder/new name.sql', `${text}one more\n`)
  await git.git('push', '-q', 'origin', 'main')
  expect((await anna.live(fileId)).data.path).toBe('folder/new name.sql')
  expect((await anna.history(fileId)).map(({ change }) => change)).toEqual(['renamed', 'added'])
})

test('a large history goes both ways in packs with deltas', async () => {
  const lines = Array.from({ length: 3000 }, (_, at) => `select ${at} as number_${at};\n`)
  const fileId = await publish('Long', lines.join(''))
  const git = await clone()
  for (let at = 0; at < 12; at += 1) {
    lines[at * 100] = `-- changed ${at}\n`
    await git.commit('Long.sql', lines.join(''))
  }
  await git.git('push', '-q', 'origin', 'main')
  expect((await anna.live(fileId)).data.content).toBe(lines.join(''))
  expect(await anna.history(fileId)).toHaveLength(13)
  const again = await clone()
  expect(await again.read('Long.sql')).toBe(lines.join(''))
  expect(await again.git('fsck', '--strict')).not.toContain('error')
  await git.commit('Long.sql', `${lines.join('')}end\n`)
  await git.git('push', '-q', 'origin', 'main')
  await again.git('pull', '-q', '--ff-only')
  expect(await again.read('Long.sql')).toBe(`${lines.join('')}end\n`)
})

test.each([
  ['a link', (git: GitClient) => symlink('/etc/passwd', join(git.folder, 'link.sql')), /only plain files/],
  [
    'an executable',
    async (git: GitClient) => {
      await git.write('run.sh', 'x')
      await chmod(join(git.folder, 'run.sh'), 0o755)
    },
    /only plain files/,
  ],
  ['a binary file', (git: GitClient) => git.write('a.bin', 'a\0b'), /text in UTF-8 only/],
  ['a large file', (git: GitClient) => git.write('a.sql', 'x'.repeat(1024 * 1024 + 1)), /at most 1 MB/],
  ['a name with a direction override', (git: GitClient) => git.write('a\u202Eb.sql', 'x'), /invisible/],
])('%s is refused with the reason', async (_, prepare, reason) => {
  const git = await clone()
  await prepare(git)
  await git.git('add', '-A')
  await git.git('commit', '-q', '-m', 'Try')
  const { code, text } = await git.run('push', 'origin', 'main')
  expect(code).toBe(1)
  expect(text).toMatch(reason)
  expect((await anna.trees()).live.files).toEqual([])
})

test('nobody pushes another branch, a viewer not to main, and main is never deleted', async () => {
  const viewer = await project.join('workspace_viewer')
  const git = await clone(viewer)
  await git.commit('mine.sql', 'x\n')
  expect((await git.run('push', 'origin', 'main')).text).toContain('your role does not allow publishing')
  expect((await git.run('push', 'origin', 'main:refs/heads/users/somebody')).text).toContain('only main and your own')
  expect((await git.run('push', 'origin', ':main')).code).toBe(1)
  const { name } = await viewer.branch()
  await git.git('push', '-q', 'origin', `main:${name}`)
  expect((await viewer.branch()).changes).toMatchObject([{ path: 'mine.sql', change: 'added' }])
})

test('without a token, with a token of too small a scope or of somebody else there is nothing', async () => {
  const address = `/git/${project.tenant.account_trellis_code}/${project.tenant.workspace_address}/${project.projectId}.git`
  const refs = `${address}/info/refs?service=git-upload-pack`
  const nobody = await fetch(`${app.url}${refs}`)
  expect(nobody.status).toBe(401)
  expect(nobody.headers.get('www-authenticate')).toContain('Basic')
  const session = Buffer.from(`me:${anna.client.token}`).toString('base64')
  expect((await fetch(`${app.url}${refs}`, { headers: { authorization: `Basic ${session}` } })).status).toBe(401)
  const reader = await openGit(app, { project, writer: anna }, ['read'])
  opened.push(reader)
  await reader.git('clone', '-q', reader.url, '.')
  await reader.commit('a.sql', 'x')
  expect((await reader.run('push', 'origin', 'main')).text).toContain('403')
  const stranger = await openGit(app, { project, writer: (await makeProject(app)).owner })
  opened.push(stranger)
  expect((await stranger.run('clone', stranger.url, '.')).text).toContain('not found')
})

test('commits of somebody else’s branch can not be fetched by their id', async () => {
  const { data } = await anna.create('Secret', 'secret\n')
  expect(data.change).toBe('added')
  const git = await clone()
  const id = (await git.git('rev-parse', `origin/${(await anna.branch()).name}`)).trim()
  const other = await clone(await project.join('workspace_editor'))
  expect((await other.run('fetch', 'origin', id)).text).toContain('not our ref')
})

test('what is not the protocol of git is refused without an error of ours', async () => {
  const git = await clone()
  const authorization = `Basic ${Buffer.from(`me:${new URL(git.url).password}`).toString('base64')}`
  const { pathname } = new URL(git.url)
  const bodies = ['', '0', '0000', 'zzzz', '0005', 'ffffabc', '0014command=fetch\n', `00a4${'0'.repeat(160)}`]
  for (const service of ['git-upload-pack', 'git-receive-pack']) {
    for (const body of bodies) {
      const headers = { authorization, 'content-type': `application/x-${service}-request` }
      const { status } = await fetch(`${app.url}${pathname}/${service}`, { method: 'POST', headers, body })
      expect(status, `${service} ${body.slice(0, 20)}`).toBeLessThan(500)
    }
  }
})

test('while the plan is over a project can be cloned, and nothing is pushed', async () => {
  await publish('Kept', 'select 1;\n')
  const git = await clone()
  await app.database.pool.query(
    "update accounts set stripe_plan_end_date = now() - interval '1 day' where trellis_code = $1",
    [project.tenant.account_trellis_code],
  )
  expect(await (await clone()).read('Kept.sql')).toBe('select 1;\n')
  await git.commit('Kept.sql', 'select 2;\n')
  await expect(git.git('push', '-q', 'origin', 'main')).rejects.toThrow()
})

test('a stranger is refused before the body of a push is received', async () => {
  const url = `${app.url}/git/${project.tenant.account_trellis_code}/shop/any.git/git-receive-pack`
  const status = await new Promise<number | undefined>((resolve, reject) => {
    const call = request(url, { method: 'POST', headers: { 'content-length': '1000000' } }, (response) => {
      resolve(response.statusCode)
      call.destroy()
    })
    call.on('error', reject)
    call.flushHeaders()
  })
  expect(status).toBe(401)
})
