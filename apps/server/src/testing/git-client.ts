import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createAccessToken } from '@trellis/contract/tokens/tokens.endpoints'
import type { TestApp } from './test-app.ts'
import type { TestProject, Writer } from './worksheets.ts'

interface GitAnswer {
  readonly code: number
  readonly text: string
}
export interface GitClient {
  readonly folder: string
  readonly url: string
  run(...args: string[]): Promise<GitAnswer>
  git(...args: string[]): Promise<string>
  read(path: string): Promise<string>
  write(path: string, text: string): Promise<void>
  commit(path: string, text: string): Promise<void>
  remove(): Promise<void>
}

export async function openGit(
  app: TestApp,
  { project, writer }: { project: TestProject; writer: Writer },
  scopes: readonly string[] = ['read', 'write'],
): Promise<GitClient> {
  const token = await writer.client.call(createAccessToken, { body: { name: 'git', scopes, days: 1 } })
  const folder = await mkdtemp(join(tmpdir(), 'trellis-git-'))
  const { account_trellis_code, workspace_address } = project.tenant
  const host = app.url.replace('http://', `http://me:${token.data.secret}@`)
  const url = `${host}/git/${account_trellis_code}/${workspace_address}/${project.projectId}.git`
  const env = {
    PATH: process.env['PATH'] ?? '',
    HOME: folder,
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_TERMINAL_PROMPT: '0',
    GIT_AUTHOR_NAME: 'Gita',
    GIT_AUTHOR_EMAIL: 'gita@example.com',
    GIT_COMMITTER_NAME: 'Gita',
    GIT_COMMITTER_EMAIL: 'gita@example.com',
    LC_ALL: 'C',
  }
  const run = (...args: string[]) =>
    new Promise<GitAnswer>((resolve) => {
      execFile('git', args, { cwd: folder, env, maxBuffer: 2 ** 26 }, (error, stdout, stderr) => {
        resolve({ code: error ? Number(error.code ?? 1) : 0, text: `${stdout}${stderr}` })
      })
    })
  const git = async (...args: string[]) => {
    const { code, text } = await run(...args)
    if (code !== 0) throw new Error(`git ${args.join(' ')}: ${text}`)
    return text
  }
  const client: GitClient = {
    folder,
    url,
    run,
    git,
    read: (path) => readFile(join(folder, path), 'utf8'),
    write: (path, text) => writeFile(join(folder, path), text),
    commit: async (path, text) => {
      await client.write(path, text)
      await git('add', '-A')
      await git('commit', '-q', '-m', `Change ${path}`)
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  }
  return client
}
