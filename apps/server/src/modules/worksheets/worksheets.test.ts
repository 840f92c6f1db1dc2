import * as branches from '@trellis/contract/worksheets/branches.endpoints'
import * as projects from '@trellis/contract/worksheets/projects.endpoints'
import { createWorkspace } from '@trellis/contract/workspaces/workspaces.endpoints'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeAccount } from '../../testing/accounts.ts'
import { type TestApp, startTestApp } from '../../testing/test-app.ts'
import { type TestProject, type Writer, createWriter, makeProject } from '../../testing/worksheets.ts'

let app: TestApp
let project: TestProject
let anna: Writer
let ben: Writer

beforeAll(async () => {
  app = await startTestApp({ settings: { TRELLIS_RATE_LIMITS: 'off' } })
  project = await makeProject(app)
  anna = project.owner
  ben = await project.join('workspace_editor')
})
afterAll(async () => await app.close())

async function makeShared(name: string, content: string): Promise<string> {
  const { data } = await anna.create(name, content)
  await anna.pull()
  expect((await anna.push(`Add ${name}`)).status).toBe(200)
  await ben.pull()
  return data.file_id
}

test('a draft is seen by its owner only until it is published', async () => {
  const { data: file } = await anna.create('Revenue', 'select 1;\n')
  expect(file).toMatchObject({ name: 'Revenue.sql', path: 'Revenue.sql', folder_id: 'root', change: 'added' })
  expect((await ben.read(file.file_id)).status).toBe(404)
  expect((await anna.branch()).changes).toMatchObject([{ path: 'Revenue.sql', change: 'added', added_lines: 1 }])
  const { data } = await anna.push('First report')
  expect(data.commit).toMatchObject({ message: 'First report' })
  expect(data.branch).toMatchObject({ behind_count: 0, changes: [], can_push: false })
  expect((await ben.live(file.file_id)).data).toMatchObject({ content: 'select 1;\n' })
  expect((await ben.read(file.file_id)).data.change).toBe('unchanged')
})

test('a save on top of an older version is refused, and both texts are kept', async () => {
  const { data: opened } = await anna.create('Tabs', 'one\n')
  const first = await anna.update(opened.file_id, { content: 'from the first tab\n', version: opened.version })
  expect(first.status).toBe(200)
  const second = await anna.update(opened.file_id, { content: 'from the second tab\n', version: opened.version })
  expect(second.errors[0]).toMatchObject({ status: '409', code: 'conflict', source: { pointer: '/version' } })
  expect((await anna.read(opened.file_id)).data.content).toBe('from the first tab\n')
  const [kept] = await anna.versions(opened.file_id)
  expect(kept).toMatchObject({ reason: 'other_tab' })
  const restoredResponse = await anna.restore(opened.file_id, { draft_version_id: kept?.draft_version_id ?? 0 })
  expect(restoredResponse.data.content).toBe('from the second tab\n')
  expect(await anna.versions(opened.file_id)).toMatchObject([{ reason: 'restored' }, { reason: 'other_tab' }])
})

test('a save that a lost answer made twice is not a conflict', async () => {
  const { data } = await anna.create('Twice', '')
  const once = { content: 'select 2', version: data.version }
  expect((await anna.update(data.file_id, once)).status).toBe(200)
  expect((await anna.update(data.file_id, once)).status).toBe(200)
  expect(await anna.versions(data.file_id)).toEqual([])
})

test('a tab that opened a file before a pull can not write the old text back over it', async () => {
  const fileId = await makeShared('Stale tab', 'a\nb\nc\n')
  const { data: opened } = await ben.read(fileId)
  await anna.write(fileId, 'a\nb\nc and d\n')
  await anna.push('Add d')
  await ben.pull()
  const late = await ben.update(fileId, { content: 'a and more\nb\nc\n', version: opened.version })
  expect(late.status).toBe(409)
  expect((await ben.read(fileId)).data.content).toBe('a\nb\nc and d\n')
  expect(await ben.versions(fileId)).toMatchObject([{ reason: 'other_tab' }])
})

test('changes to different places of a file are merged', async () => {
  const fileId = await makeShared('Merged', '1\n2\n3\n4\n5\n')
  await anna.write(fileId, 'one\n2\n3\n4\n5\n')
  await ben.write(fileId, '1\n2\n3\n4\nfive\n')
  await anna.push('Spell one')
  const refusedResponse = await ben.push('Spell five')
  expect(refusedResponse.errors[0]).toMatchObject({ code: 'conflict' })
  expect(refusedResponse.errors[0]?.detail).toContain('Pull first')
  const pulled = await ben.pull()
  expect(pulled.data).toMatchObject({
    updated_count: 1,
    branch: { conflict_count: 0, behind_count: 0, can_push: true },
  })
  expect((await ben.read(fileId)).data.content).toBe('one\n2\n3\n4\nfive\n')
  expect(await ben.versions(fileId)).toMatchObject([{ reason: 'pulled' }])
  expect((await ben.push('Spell five')).status).toBe(200)
})

test('changes to the same place are a conflict that shows all three texts and is resolved per file', async () => {
  const fileId = await makeShared('Conflict', 'a\nb\nc\n')
  await anna.write(fileId, "a\nanna's\nc\n")
  await ben.write(fileId, "a\nben's\nc\n")
  await anna.push("Anna's")
  expect((await ben.pull()).data.branch).toMatchObject({ conflict_count: 1, can_push: false })
  expect(await ben.conflicts()).toEqual([
    {
      file_id: fileId,
      path: 'Conflict.sql',
      base: { path: 'Conflict.sql', content: 'a\nb\nc\n' },
      mine: { path: 'Conflict.sql', content: "a\nben's\nc\n" },
      theirs: { path: 'Conflict.sql', content: "a\nanna's\nc\n" },
      merged: "a\n<<<<<<< mine\nben's\n=======\nanna's\n>>>>>>> live\nc\n",
    },
  ])
  expect((await ben.push('Over hers')).errors[0]?.detail).toContain('conflicts')
  await ben.resolve(fileId, 'merged', "a\nanna's\nben's\nc\n")
  expect(await ben.conflicts()).toEqual([])
  expect((await ben.push('Both')).status).toBe(200)
  await anna.pull()
  expect((await anna.read(fileId)).data.content).toBe("a\nanna's\nben's\nc\n")
  expect(await ben.versions(fileId)).toMatchObject([{ reason: 'resolved' }])
})

test('long texts are merged like short ones, in a thread', async () => {
  const lines = Array.from({ length: 4_000 }, (_, at) => `select ${at} as number_of_the_line;`)
  const write = (at: number, line: string) => `${lines.with(at, line).join('\n')}\n`
  const fileId = await makeShared('Long', `${lines.join('\n')}\n`)
  await anna.write(fileId, write(10, "anna's"))
  await anna.push('Early')
  await ben.write(fileId, write(3_990, "ben's"))
  expect((await ben.pull()).data.branch).toMatchObject({ conflict_count: 0 })
  const merged = (await ben.read(fileId)).data.content.split('\n')
  expect([merged[10], merged[3_990]]).toEqual(["anna's", "ben's"])
})

test('a conflict in a long text shows both sides in their place', async () => {
  const lines = Array.from({ length: 4_000 }, (_, at) => `-- a line with the number ${at}`)
  const write = (text: string) => lines.with(2_000, text).join('\n')
  const fileId = await makeShared('Long conflict', lines.join('\n'))
  await anna.write(fileId, write("anna's"))
  await ben.write(fileId, write("ben's"))
  await anna.push("Anna's")
  await ben.pull()
  const [conflict] = await ben.conflicts()
  const merged = conflict?.merged?.split('\n') ?? []
  expect(merged.slice(1_999, 2_006)).toEqual([
    lines[1_999],
    '<<<<<<< mine',
    "ben's",
    '=======',
    "anna's",
    '>>>>>>> live',
    lines[2_001],
  ])
  await ben.resolve(fileId, 'theirs')
})

test('a file one deletes and another edits is a conflict, whoever pulls', async () => {
  const fileId = await makeShared('Deleted', 'keep me\n')
  await anna.remove(fileId)
  await ben.write(fileId, 'keep me, edited\n')
  await anna.push('Not needed')
  await ben.pull()
  expect(await ben.conflicts()).toMatchObject([{ theirs: null, mine: { content: 'keep me, edited\n' }, merged: null }])
  await ben.resolve(fileId, 'mine')
  expect((await ben.push('Still needed')).status).toBe(200)
  await anna.pull()
  expect((await anna.read(fileId)).data.content).toBe('keep me, edited\n')
  expect((await anna.history(fileId)).map(({ change }) => change)).toEqual(['added', 'deleted', 'added'])
})

test('rename and move keep the history, and meet an edit of somebody else', async () => {
  const fileId = await makeShared('Before', 'x\n')
  const folder = await anna.client.call(projects.createFolder, {
    params: project.tenant,
    body: { project_id: project.projectId, name: 'Sales' },
  })
  await anna.update(fileId, { name: 'After', folder_id: folder.data.folder_id })
  await ben.write(fileId, 'x\ny\n')
  await anna.push('Tidy up')
  await ben.pull()
  expect((await ben.read(fileId)).data).toMatchObject({ path: 'Sales/After.sql', content: 'x\ny\n', change: 'edited' })
  await ben.push('Add y')
  expect(await anna.history(fileId)).toMatchObject([
    { change: 'edited', path: 'Sales/After.sql' },
    { change: 'renamed', path: 'Sales/After.sql', previous_path: 'Before.sql' },
    { change: 'added', path: 'Before.sql' },
  ])
  const diff = await anna.client.call(branches.getFileDiff, {
    params: { ...anna.params, file_id: fileId, commit_id: (await anna.history(fileId))[0]?.commit.commit_id },
  })
  expect(diff.data).toMatchObject({ before: 'x\n', after: 'x\ny\n' })
})

test('an old version is restored into the own branch, also of a file that was deleted', async () => {
  const fileId = await makeShared('History', 'first\n')
  await anna.write(fileId, 'second\n')
  await anna.push('Second')
  const first = (await anna.history(fileId)).at(-1)?.commit.commit_id ?? ''
  expect((await anna.restore(fileId, { commit_id: first })).data).toMatchObject({
    content: 'first\n',
    change: 'edited',
  })
  expect((await anna.live(fileId)).data.content).toBe('second\n')
  await anna.remove(fileId)
  await anna.push('Delete')
  const deletedResponse = await anna.client.call(branches.listDeletedFiles, { params: anna.params })
  const found = deletedResponse.data.find((file) => file.file_id === fileId)
  expect(found).toMatchObject({ path: 'History.sql' })
  expect((await anna.restore(fileId, { commit_id: found?.commit_id ?? '' })).data.content).toBe('second\n')
  await anna.push('Back again')
})

test('two files made at one place are both kept', async () => {
  await ben.pull()
  await anna.pull()
  const mine = await ben.create('Same name', "ben's\n")
  const theirs = await anna.create('Same name', "anna's\n")
  await anna.push('Mine first')
  const { data } = await ben.pull()
  expect(data.moved).toEqual([{ file_id: mine.data.file_id, from: 'Same name.sql', to: 'Same name (2).sql' }])
  expect((await ben.read(theirs.data.file_id)).data.content).toBe("anna's\n")
  expect((await ben.push('Both')).status).toBe(200)
})

test('a folder is renamed, moved and deleted with what is in it', async () => {
  const { tenant, projectId: project_id } = project
  const call = { params: tenant }
  const outer = await ben.client.call(projects.createFolder, { ...call, body: { project_id, name: 'Outer' } })
  const body = { project_id, name: 'Inner', parent_id: outer.data.folder_id }
  const inner = await ben.client.call(projects.createFolder, { ...call, body })
  const file = await ben.create('In it', 'z', inner.data.folder_id)
  const twin = await ben.client.call(projects.createFolder, { ...call, body: { project_id, name: 'outer' } })
  expect(twin.status).toBe(409)
  const renamedResponse = await ben.client.call(projects.updateFolder, {
    ...call,
    body: { project_id, folder_id: outer.data.folder_id, name: 'Renamed' },
  })
  expect((await ben.read(file.data.file_id)).data.path).toBe('Renamed/Inner/In it.sql')
  const into = { project_id, folder_id: renamedResponse.data.folder_id, parent_id: inner.data.folder_id }
  expect((await ben.client.call(projects.updateFolder, { ...call, body: into })).status).toBe(404)
  const query = { project_id, folder_id: renamedResponse.data.folder_id }
  expect((await ben.client.call(projects.deleteFolder, { ...call, query })).status).toBe(200)
  expect((await ben.read(file.data.file_id)).status).toBe(404)
  expect(await ben.versions(file.data.file_id)).toMatchObject([{ reason: 'deleted' }])
  const folders = (await ben.trees()).user.folders.map(({ path }) => path)
  expect(folders.filter((path) => path.startsWith('Renamed'))).toEqual([])
})

test('only chosen files are published, unless that would put two at one path', async () => {
  const shared = await makeShared('One', '1')
  const two = await makeShared('Two', '2')
  await anna.update(two, { name: 'Three' })
  await anna.update(shared, { name: 'Two' })
  expect((await anna.push('Half', [shared])).errors[0]?.detail).toContain('Two files would be at Two.sql')
  expect((await anna.push('Other half', [two])).data.branch.changes).toMatchObject([{ file_id: shared }])
  expect((await anna.push('Rest')).status).toBe(200)
  await ben.pull()
  expect((await ben.read(shared)).data.path).toBe('Two.sql')
})

test('discarding goes back to the live version and keeps what was typed', async () => {
  const fileId = await makeShared('Discard', 'live\n')
  await anna.write(fileId, 'typed\n')
  const body = { project_id: project.projectId, file_id: fileId }
  expect((await anna.client.call(projects.discardChanges, { params: project.tenant, body })).status).toBe(200)
  expect((await anna.read(fileId)).data).toMatchObject({ content: 'live\n', change: 'unchanged' })
  expect(await anna.versions(fileId)).toMatchObject([{ reason: 'discarded' }])
})

test('a viewer reads, keeps drafts and publishes nothing; only an admin deletes a project', async () => {
  const viewer = await project.join('workspace_viewer')
  const { data, status } = await viewer.create('My notes', 'select 3')
  expect(status).toBe(200)
  expect((await viewer.branch()).can_push).toBe(false)
  expect((await viewer.push('Try')).status).toBe(403)
  expect((await viewer.read(data.file_id)).data.content).toBe('select 3')
  const remove = (writer: Writer) => writer.client.call(projects.deleteProject, { params: writer.params })
  expect((await remove(viewer)).status).toBe(403)
  expect((await remove(ben)).status).toBe(403)
})

test.each([
  ['a\u202Eb', 'invisible'],
  ['a/b', 'may not have any of'],
  ['..', 'dot'],
  ['.git', 'used by git'],
  ['nul.sql', 'used by git'],
  [' ', 'required'],
])('the name %j is refused', async (name, reason) => {
  const { errors, status } = await anna.create(name)
  expect(status).toBe(400)
  expect(errors[0]?.detail).toContain(reason)
})

test('a file holds up to 1 MB of text', async () => {
  const fits = await anna.create('Large', '"'.repeat(1024 * 1024))
  expect(fits.status).toBe(200)
  const large = await anna.update(fits.data.file_id, {
    content: 'x'.repeat(1024 * 1024 + 1),
    version: fits.data.version,
  })
  expect(large.status).toBe(400)
  const binary = await anna.update(fits.data.file_id, { content: 'a\0b', version: fits.data.version })
  expect(binary.errors[0]?.detail).toContain('can not be stored')
  await anna.remove(fits.data.file_id)
})

test('search finds names first and texts with their line', async () => {
  await anna.create('Needle', 'nothing')
  await anna.create('Haystack', 'select 1;\n-- the needle is here\n')
  const { data } = await anna.client.call(projects.searchWorksheets, {
    params: project.tenant,
    query: { search: 'NEEDLE' },
  })
  expect(data).toMatchObject([
    { name: 'Needle.sql', line: null },
    { name: 'Haystack.sql', line: { number: 2, text: '-- the needle is here' } },
  ])
})

test('editor settings are kept per person', async () => {
  const call = { params: project.tenant }
  await anna.client.call(projects.updateEditorSettings, { ...call, body: { font_size: 18 } })
  await anna.client.call(projects.updateEditorSettings, { ...call, body: { word_wrap: true } })
  const { data } = await anna.client.call(projects.getEditorSettings, call)
  expect(data).toMatchObject({ font_size: 18, word_wrap: true, tab_size: 2 })
  expect((await ben.client.call(projects.getEditorSettings, call)).data.font_size).toBe(13)
})

test('a project of another workspace or account is not there, whatever is asked of it', async () => {
  const other = await makeProject(app, project.account)
  const foreign = await makeProject(app, await makeAccount(app))
  const file = await other.owner.create('Theirs', 'secret')
  await other.owner.push('Theirs')
  const strangers = [createWriter(anna.client, project.tenant, other.projectId)]
  strangers.push(createWriter(anna.client, project.tenant, foreign.projectId))
  const missing = createWriter(anna.client, project.tenant, 'zzzzzzzzzzzz')
  const ask = async (writer: Writer) => {
    const answers = [
      await writer.read(file.data.file_id),
      await writer.live(file.data.file_id),
      await writer.create('Mine'),
      await writer.update(file.data.file_id, { name: 'Mine' }),
      await writer.remove(file.data.file_id),
      await writer.restore(file.data.file_id, { draft_version_id: 1 }),
      await writer.pull(),
      await writer.push(),
      await writer.resolve(file.data.file_id, 'mine'),
      await writer.client.call(branches.listProjectHistory, { params: writer.params }),
      await writer.client.call(projects.deleteProject, { params: writer.params }),
    ]
    return answers.map(({ status, text }) => [status, text.replaceAll(/"id":"[0-9a-f-]{36}"/g, '')])
  }
  const nothing = await ask(missing)
  expect(nothing.map(([status]) => status)).toEqual(nothing.map(() => 404))
  for (const stranger of strangers) expect(await ask(stranger)).toEqual(nothing)
})

test('the list says of every project what the project says of itself', async () => {
  const ownTestProject = await makeProject(app, project.account)
  const { owner, tenant } = ownTestProject
  const reader = await ownTestProject.join('workspace_editor')
  const files = []
  for (const name of ['One', 'Two', 'Three', 'Four']) files.push((await owner.create(name, 'select 1')).data.file_id)
  await owner.push('Four files')
  const [one = '', two = '', three = ''] = files
  await reader.write(one, 'select 2')
  await reader.remove(two)
  await reader.create('Mine')
  const folder = { project_id: ownTestProject.projectId, name: 'Drafts' }
  expect((await reader.client.call(projects.createFolder, { params: tenant, body: folder })).errors).toEqual([])
  await owner.write(one, 'select 3')
  await owner.remove(three)
  await owner.push('Three files')
  await owner.client.call(projects.createProject, { params: tenant, body: { name: 'Empty' } })
  for (const step of ['behind', 'in conflict']) {
    for (const { client } of [owner, reader]) {
      const { data } = await client.call(projects.listProjects, { params: tenant })
      expect(data.map(({ name }) => name)).toEqual(['Empty', 'Reports'])
      for (const listed of data) {
        const params = { ...tenant, project_id: listed.project_id }
        expect(listed, step).toEqual((await client.call(projects.getProject, { params })).data)
      }
      const withFiles = (await client.call(projects.listProjectFiles, { params: tenant })).data
      const changes = []
      for (const { user, ...listed } of withFiles) {
        const params = { ...tenant, project_id: listed.project_id }
        expect(user, step).toEqual((await client.call(projects.getBothTrees, { params })).data.user)
        changes.push(...(await client.call(branches.getUserBranch, { params })).data.changes)
      }
      expect(withFiles.map(({ user: _, ...listed }) => listed)).toEqual(data)
      expect((await client.call(projects.listUnpublishedChanges, { params: tenant })).data).toEqual(changes)
    }
    await reader.pull()
  }
  const [, reports] = (await reader.client.call(projects.listProjects, { params: tenant })).data
  expect(reports).toMatchObject({ file_count: 3, unpublished_count: 3, behind_count: 0, conflict_count: 1 })
})

test('a new workspace begins with a project', async () => {
  const { data } = await project.account.owner.call(createWorkspace, {
    params: { account_trellis_code: project.account.code },
    body: { name: 'Fresh', workspace_address: 'fresh' },
  })
  await app.database.db
    .updateTable('workspaces')
    .set({ state: 'online' })
    .where('workspace_address', '=', data.workspace_address)
    .execute()
  const params = { account_trellis_code: project.account.code, workspace_address: 'fresh' }
  const projectList = await project.account.owner.call(projects.listProjects, { params })
  expect(projectList.data).toMatchObject([{ name: 'Worksheets', file_count: 0, behind_count: 0 }])
})
