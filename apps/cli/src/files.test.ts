import { execFile } from 'node:child_process'
import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import manifest from '../package.json' with { type: 'json' }
import { runCli } from './run-cli.ts'

const run = promisify(execFile)
const PACK_TIMEOUT_MS = 300_000

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'trellis-files-'))
})
afterAll(async () => await rm(folder, { recursive: true }))

const start = (argv: string[], signal?: AbortSignal) => {
  const out: string[] = []
  const err: string[] = []
  const code = runCli(argv, {
    env: { TRELLIS_CONFIG: join(folder, 'none.json') },
    print: (line) => void out.push(line),
    say: (line) => void err.push(line),
    ...(signal && { signal }),
  })
  return { code, out, err }
}
async function trellis(...argv: string[]) {
  const { code, out, err } = start(argv)
  return { code: await code, out: out.join('\n'), err: err.join('\n') }
}
const place = (name: string) => join(folder, name)
const given = async (name: string, text: string) => {
  await writeFile(place(name), text)
  return place(name)
}

test('init writes a file that is right, with the schema beside it, and never over another', async () => {
  const file = place('new.yaml')
  expect(await trellis('init', file)).toMatchObject({ code: 0 })
  const text = await readFile(file, 'utf8')
  expect(text.split('\n')[0]).toBe('# yaml-language-server: $schema=./dataflow.schema.json')
  expect(JSON.parse(await readFile(place('dataflow.schema.json'), 'utf8'))).toMatchObject({
    title: 'Trellis dataflow',
  })
  expect(await trellis('validate', file)).toMatchObject({ code: 0, out: '', err: `${file} is valid.` })
  expect(await trellis('init', file)).toMatchObject({ code: 1, err: `${file} is there already; nothing was changed.` })
  expect(await readFile(file, 'utf8')).toBe(text)
})

test('validate tells without a server the line, what is missing and what is allowed', async () => {
  const file = await given(
    'wrong.yaml',
    `trellis: dataflow
version: 1
nam: Wrong
blocks:
  make:
    kind: Sorce
    name: Make
    settings: {}
    at: [0, 0]
    trigger:
      any:
        - schedule: { cron: 0 6 * * ? * }
`,
  )
  const { code, out } = await trellis('validate', file)
  expect(code).toBe(1)
  expect(out.split('\n').toSorted()).toEqual([
    `${file}:12: blocks.make.trigger.any.0.schedule.zone: This is missing. It has to be a text.`,
    `${file}:1: name: This is missing. It has to be a text.`,
    expect.stringMatching(/:3: nam: "nam" is not known here\. Known: trellis, version, name, /),
    `${file}:6: blocks.make.kind: "Sorce" is not allowed here. Allowed: Source, Transformation, Destination.`,
  ])
  const json = await trellis('validate', '--json', file)
  expect(JSON.parse(json.out)).toContainEqual({ file, line: 6, message: expect.stringContaining('Sorce') as string })
})

test('a file that is no mapping is told in one sentence', async () => {
  const file = await given('list.yaml', 'nothing here')
  expect((await trellis('validate', file)).out).toMatch(
    /list\.yaml:1: "nothing here" is not allowed here\. It has to be/,
  )
  const empty = await given('empty.yaml', '# nothing yet\n')
  expect(await trellis('validate', empty)).toMatchObject({ code: 1, out: `${empty}: The file is empty.` })
})

test('blocks that wait for each other in a circle are told by line', async () => {
  const toBlock = (key: string, upstream: string) => `  ${key}:
    kind: Transformation
    name: Block ${key}
    trigger: { any: [{ after: ${upstream} }] }
    at: [0, 0]
`
  const text = `trellis: dataflow\nversion: 1\nname: Circle\nblocks:\n${toBlock('a', 'b')}${toBlock('b', 'a')}`
  const file = await given('circle.yaml', text)
  const told = `${file}:8: A block can't wait for itself: "Block a" → "Block b" → "Block a". Take one of these arrows away.`
  expect(await trellis('validate', file)).toMatchObject({ code: 1, out: told })
})

test('validate knows the settings of every platform', async () => {
  const file = await given(
    'platform.yaml',
    `trellis: dataflow
version: 1
name: Files
blocks:
  read:
    kind: Source
    name: Read
    integration: { platform: http_files, name: Files }
    settings:
      subtasks:
        - name: days
          is_incremental: false
          write: null
          query:
            query:
              files: days.csv
              format: cvs
              sheets: one
    at: [0, 0]
`,
  )
  const { code, out } = await trellis('validate', file)
  expect(code).toBe(1)
  expect(out).toContain(
    `${file}:17: blocks.read.settings.subtasks.0.query.query.format: "cvs" is not allowed here. Allowed:`,
  )
  expect(out).toMatch(/:18: .*"sheets" is not known here\. Known: .*sheet/)
})

test('a file that can not be read, no file and an unknown command have their exit codes', async () => {
  expect(await trellis('validate', place('none.yaml'))).toMatchObject({ code: 2 })
  expect(await trellis('validate')).toMatchObject({ code: 2 })
  const nowhere = place('no-folder/schema.json')
  expect(await trellis('schema', '-o', nowhere)).toMatchObject({ code: 1, err: `${nowhere} can not be written.` })
  expect(await trellis('valdate')).toMatchObject({ code: 2 })
  expect(await trellis('watch', place('none.yaml'), '--apply')).toMatchObject({ code: 2 })
  for (const name of ['init', 'validate', 'watch', 'schema'])
    expect(await trellis('help', name)).toMatchObject({ code: 0, out: expect.stringContaining('Exit codes') as string })
})

test('watch validates the file after each save, also when an editor replaces it, until it is stopped', async () => {
  const file = place('watched.yaml')
  await trellis('init', file)
  const right = await readFile(file, 'utf8')
  const stop = new AbortController()
  const { code, out, err } = start(['watch', file], stop.signal)
  await vi.waitFor(() => expect(err).toContain(`${file} is valid.`), { timeout: 20_000 })
  await writeFile(file, right.replace('kind: Transformation', 'kind: Wrong'))
  await vi.waitFor(() => expect(out.join()).toContain('"Wrong" is not allowed here'), { timeout: 20_000 })
  await rm(file)
  // Longer than the polling interval.
  await sleep(1000)
  await writeFile(file, right)
  await vi.waitFor(() => expect(err.filter((line) => line.endsWith('is valid.'))).toHaveLength(2), { timeout: 20_000 })
  stop.abort()
  expect(await code).toBe(0)
})

test('what npm pack gives runs in an empty folder without the repository', { timeout: PACK_TIMEOUT_MS }, async () => {
  const env = { ...process.env, PATH: [dirname(process.execPath), process.env['PATH']].join(delimiter) }
  await run('npm', ['pack', '--pack-destination', folder], { cwd: join(import.meta.dirname, '..'), env })
  const [tarball = ''] = (await readdir(folder)).filter((name) => name.endsWith('.tgz'))
  const home = await mkdtemp(join(tmpdir(), 'trellis-packed-'))
  try {
    await writeFile(join(home, 'package.json'), '{"private": true}')
    const install = ['install', '--offline', '--no-audit', '--no-fund', place(tarball)]
    await run('npm', install, { cwd: home, env: { ...env, npm_config_cache: join(home, 'cache') } })
    expect(await readdir(join(home, 'node_modules'))).toEqual(expect.not.arrayContaining(['yaml', 'zod']))
    const packed = async (...args: string[]) =>
      await run(join(home, 'node_modules', '.bin', 'trellis'), args, { cwd: home, env })
    expect((await packed('--version')).stdout.trim()).toBe(manifest.version)
    await packed('init')
    expect((await packed('validate', 'dataflow.yaml')).stderr).toBe('dataflow.yaml is valid.\n')
    await writeFile(join(home, 'wrong.yaml'), 'trellis: dataflow\nversion: 2\nname: x\n')
    await expect(packed('validate', 'wrong.yaml')).rejects.toMatchObject({
      code: 1,
      stdout: 'wrong.yaml:2: version: 2 is not allowed here. It has to be 1.\n',
    })
  } finally {
    await rm(home, { recursive: true })
  }
})
