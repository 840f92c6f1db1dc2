import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs'
import { dirname, join, posix, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { repoFiles } from './repo-files.ts'

const root = resolve(import.meta.dirname, '../..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const files = repoFiles(root)
const pages = files.filter((path) => path.endsWith('.md'))
const countLines = (path: string) => read(path).split('\n').length - 1

interface Link {
  page: string
  text: string
  target: string
}

const links: Link[] = pages.flatMap((page) =>
  [...read(page).matchAll(/(?<picture>!?)\[(?<text>[^\]]*)\]\((?<target>[^)\s]+)\)/g)].flatMap((match) => {
    const { picture, text = '', target = '' } = match.groups ?? {}
    if (picture === '!' || /^[a-z]+:/.test(target)) return []
    return [{ page, text, target: posix.normalize(posix.join(dirname(page), target.replace(/#.*$/, ''))) }]
  }),
)

test('every link leads to a file', () => {
  expect(links.length).toBeGreaterThan(80)
  const lostLinks = links.filter(({ target }) => !existsSync(join(root, target)))
  expect(lostLinks).toEqual([])
})

test('every picture is there, is shown somewhere and loads quickly', () => {
  const shown = pages.flatMap((page) =>
    [...read(page).matchAll(/!\[[^\]]+\]\((?<target>[^)\s]+)\)/g)].map(({ groups }) =>
      posix.normalize(posix.join(dirname(page), groups?.['target'] ?? '')),
    ),
  )
  const list = (folder: string) => readdirSync(join(root, folder)).map((name) => `${folder}/${name}`)
  const kept = [...list('docs/pictures'), ...list('docs/benchmarks').filter((path) => path.endsWith('.svg'))]
  expect([...new Set(shown)].toSorted()).toEqual(kept.toSorted())
  expect(kept.filter((path) => statSync(join(root, path)).size > 200_000)).toEqual([])
})

test('the CI workflow runs the commands that the README names', () => {
  const workflow = read('.github/workflows/ci.yml')
  for (const command of ['npm test', 'npm run check']) {
    expect(read('README.md')).toMatch(new RegExp(`^${command}\\b`, 'm'))
    expect(workflow).toContain(`- run: ${command}\n`)
  }
})

test('tests named in SECURITY.md exist under that name', () => {
  const namedLinks = links.filter(({ page, target }) => page === 'SECURITY.md' && /\.(test|spec)\.tsx?$/.test(target))
  expect(namedLinks.length).toBeGreaterThan(20)
  const lostLinks = namedLinks.filter(({ text, target }) => !read(target).includes(text))
  expect(lostLinks).toEqual([])
})

test('tests named in docs/asvs.csv exist under that name', () => {
  const named = [...read('docs/asvs.csv').matchAll(/(?<file>[\w./-]+\.(?:test|spec)\.tsx?)#(?<title>[^|\n"]+)/g)].map(
    ({ groups }) => ({
      file: groups?.['file'] ?? '',
      title: groups?.['title']?.trim() ?? '',
    }),
  )
  expect(named.length).toBeGreaterThan(60)
  const lost = named.filter(({ file, title }) => !existsSync(join(root, file)) || !read(file).includes(title))
  expect(lost).toEqual([])
})

test('the settings page names every setting and no other', () => {
  const names = (text: string, pattern: RegExp) =>
    [...new Set([...text.matchAll(pattern)].map((match) => match[1] ?? ''))].toSorted()
  const known = names(read('apps/server/src/platform/config.ts'), /^ {2}(TRELLIS_[A-Z0-9_]+):/gm)
  expect(known.length).toBeGreaterThan(20)
  expect(names(read('docs/handbook/settings.md'), /^\| `(TRELLIS_[A-Z0-9_]+)`/gm)).toEqual(known)
})

test('no page speaks of a setting that does not exist', () => {
  const config = read('apps/server/src/platform/config.ts') + read('apps/cli/src/settings.ts')
  const ofTests = new Set([
    'TRELLIS_FUZZ_REQUESTS',
    'TRELLIS_FUZZ_RUNS',
    'TRELLIS_FUZZ_SEED',
    'TRELLIS_LATE_ANSWERS_MS',
    'TRELLIS_PICTURES',
    'TRELLIS_TEST_CLUSTER_URL',
    'TRELLIS_OIDC_',
  ])
  const spoken = pages.flatMap((page) =>
    [...read(page).matchAll(/TRELLIS_[A-Z0-9_]+/g)].map(([name]) => ({ page, name })),
  )
  expect(spoken.filter(({ name }) => !config.includes(name) && !ofTests.has(name))).toEqual([])
})

test('pages stay short enough to be read', () => {
  expect(countLines('CONTRIBUTING.md')).toBeLessThanOrEqual(120)
  const long = pages.filter((path) => /^docs\/adr\/\d/.test(path) && countLines(path) > 60)
  expect(long).toEqual([])
})

test('every page of the handbook and every decision is in its list', () => {
  for (const folder of ['docs/handbook', 'docs/adr']) {
    const list = read(`${folder}/README.md`)
    const missingPages = pages.filter(
      (path) =>
        dirname(path) === folder && !path.endsWith('/README.md') && !list.includes(path.slice(folder.length + 1)),
    )
    expect(missingPages).toEqual([])
  }
})
