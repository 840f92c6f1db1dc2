import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runInNewContext } from 'node:vm'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { compressAll } from './compress.ts'
import { fillTemplate } from './auth-template.ts'
import { inlineCss, nameAssets, preloadFont } from './inline.ts'
import { entryFiles } from './manifest.ts'
import { preloadPages } from './preload.ts'
import { routeSizes } from './sizes.ts'

let dist: string
const put = (file: string, text: string) => writeFile(join(dist, file), text)

beforeEach(async () => {
  dist = await mkdtemp(join(tmpdir(), 'trellis-web-'))
  await mkdir(join(dist, 'assets'))
  await mkdir(join(dist, '.vite'))
})
afterEach(() => rm(dist, { recursive: true }))

test('a page is put into the template as it is, whatever signs it holds', () => {
  const html = fillTemplate('<title>x</title><body><!--auth:body--></body>', {
    title: "A $& B $'",
    body: '<p>$1 $$</p>',
  })
  expect(html).toBe("<title>A $& B $'</title><body><p>$1 $$</p></body>")
  expect(() => fillTemplate('<body></body>', { title: '', body: '' })).toThrow('<!--auth:body-->')
})

test('linked style sheets move into the page under the nonce', async () => {
  await put('assets/a-1.css', '.a{color:red}')
  const linked = '<head><link rel="stylesheet" crossorigin href="/assets/a-1.css" nonce="__CSP_NONCE__"></head>'
  const html = await inlineCss(linked, dist)
  expect(html).toContain('<style nonce="__CSP_NONCE__">.a{color:red}</style>')
  expect(html).not.toContain('stylesheet')
})

test('the text font is preloaded, and its absence stops the build', async () => {
  await expect(preloadFont('<title>x</title>', dist)).rejects.toThrow('no Latin text font')
  await put('assets/geist-latin-ext-wght-normal-B.woff2', '')
  await put('assets/geist-latin-wght-normal-A.woff2', '')
  expect(await preloadFont('<title>x</title>', dist)).toContain('href="/assets/geist-latin-wght-normal-A.woff2"')
})

test('compressed copies unpack to the original; small and binary files are left alone', async () => {
  const script = 'export const answer = 42\n'.repeat(200)
  await put('assets/big.js', script)
  await put('assets/small.js', 'x')
  await put('assets/font.woff2', script)
  await compressAll(join(dist, 'assets'))
  expect((await readdir(join(dist, 'assets'))).toSorted()).toEqual([
    'big.js',
    'big.js.br',
    'big.js.gz',
    'font.woff2',
    'small.js',
  ])
  expect(brotliDecompressSync(await readFile(join(dist, 'assets/big.js.br'))).toString()).toBe(script)
  expect(gunzipSync(await readFile(join(dist, 'assets/big.js.gz'))).toString()).toBe(script)
})

test('an entry is its scripts and sheets, followed through circles; routes count only what they add', async () => {
  const app = {
    'index.html': { file: 'assets/app.js', isEntry: true, imports: ['_shared.js'], css: ['assets/app.css'] },
    '_shared.js': { file: 'assets/shared.js', imports: ['index.html'] },
    'src/lazy.tsx': { file: 'assets/lazy.js', src: 'src/lazy.tsx', isDynamicEntry: true, imports: ['_shared.js'] },
  }
  await put('.vite/app.json', JSON.stringify(app))
  await put('.vite/auth.json', JSON.stringify({ 'sign-in.html': { file: 'assets/auth.js', isEntry: true } }))
  for (const name of ['app', 'shared', 'lazy', 'auth']) await put(`assets/${name}.js`, incompressible(4096))

  const files = await entryFiles(dist, 'app')
  expect(files.toSorted()).toEqual(['assets/app.css', 'assets/app.js', 'assets/shared.js'])
  expect(nameAssets('<title>x</title>', ['assets/a.js', 'assets/b.css'])).toContain(
    'content="/assets/a.js /assets/b.css"',
  )

  const sizes = await routeSizes(dist)
  expect(sizes.map(({ route }) => route)).toEqual(['auth', 'app', 'src/lazy.tsx'])
  const [auth, shell, lazy] = sizes
  expect(shell?.totalKb).toBeCloseTo(2 * (auth?.totalKb ?? 0), 0)
  expect(lazy?.ownKb).toBeCloseTo(auth?.totalKb ?? 0, 0)
  expect(lazy?.totalKb).toBeCloseTo((shell?.totalKb ?? 0) + (lazy?.ownKb ?? 0), 5)
})

function incompressible(length: number): string {
  return Array.from({ length }, () => String.fromCharCode(33 + Math.floor(Math.random() * 90))).join('')
}

test('a page of a workspace fetches its own files with the first answer, and no other page does', async () => {
  const page = (name: string) => ({
    file: `assets/${name}.js`,
    imports: ['_shared.js', 'index.html'],
    css: [`assets/${name}.css`],
  })
  await put(
    '.vite/app.json',
    JSON.stringify({
      'index.html': { file: 'assets/index.js', isEntry: true },
      '_shared.js': { file: 'assets/shared.js' },
      'src/features/workspaces/home/DashboardPage.tsx': page('DashboardPage'),
      'src/features/dataflows/list/DataflowsPage.tsx': page('DataflowsPage'),
      'src/features/integrations/list/IntegrationsPage.tsx': page('IntegrationsPage'),
      'src/features/sparks/gallery/SparksPage.tsx': page('SparksPage'),
    }),
  )
  const html = await preloadPages('<title>x</title>', dist)
  const script = /<script nonce="__CSP_NONCE__">(.+)<\/script>/s.exec(html)?.[1] ?? ''
  const open = (pathname: string) => {
    const links: { rel: string; href: string }[] = []
    runInNewContext(script, {
      location: { pathname },
      document: {
        createElement: () => ({}),
        head: { append: (link: { rel: string; href: string }) => links.push(link) },
      },
    })
    return links.map(({ rel, href }) => `${rel} ${href}`)
  }
  expect(open('/acme/shop/dashboard')).toEqual([
    'modulepreload /assets/DashboardPage.js',
    'preload /assets/DashboardPage.css',
    'modulepreload /assets/shared.js',
  ])
  expect(open('/acme/shop/sparks/')).toContain('modulepreload /assets/SparksPage.js')
  for (const path of ['/dashboard', '/acme/dashboard', '/acme/shop/constructor', '/acme/shop/sparks/new'])
    expect(open(path)).toEqual([])
})
