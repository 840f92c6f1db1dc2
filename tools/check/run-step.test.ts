import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { repoFiles } from './repo-files.ts'
import { runForProblems, runStep } from './run-step.ts'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'trellis-check-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('a step that breaks is a step that failed, with its reason', async () => {
  const result = await runStep({
    name: 'broken',
    run: () => {
      throw new Error('no such file')
    },
  })
  expect(result).toMatchObject({ name: 'broken', problems: ['no such file'] })
})

test('a command fails by its exit code, not by what it prints', async () => {
  const node = (code: string) => runForProblems(folder, [process.execPath, '-e', code])
  expect(await node('console.error("only a warning")')).toEqual([])
  expect(await node('console.log("out"); console.error("err"); process.exitCode = 2')).toEqual([
    expect.stringMatching(/out[^]*err|err[^]*out/),
  ])
  expect(await node('process.exitCode = 3')).toEqual([expect.stringContaining('ended with 3')])
})

test('files that git ignores are not looked at', () => {
  for (const path of ['node_modules/a', 'src/dist', 'src/deep', 'e2e/artifacts', '.trellis-two'])
    mkdirSync(join(folder, path), { recursive: true })
  const files = [
    'node_modules/a/b.js',
    'src/dist/c.js',
    'src/deep/d.ts',
    'src/e.log',
    'e2e/artifacts/f.png',
    '.trellis-two/g',
    'artifacts',
  ]
  for (const path of files) writeFileSync(join(folder, path), '')
  writeFileSync(join(folder, '.gitignore'), 'dist/\n*.log\ne2e/artifacts/\n.trellis-*/\n')
  expect(repoFiles(folder)).toEqual(['.gitignore', 'artifacts', 'src/deep/d.ts'])
})
