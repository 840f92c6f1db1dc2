/**
 * Builds the web into apps/web/dist. What the server has to do with it:
 *
 * dist/pages.json   { "pages": { "/login": "sign-in/login.html", … }, "app": "app.html", "sparkFrame": "spark-frame.html" }
 *                   Every path that is not in `pages` gets `app`; /spark-frame has a CSP of its own.
 * dist/*.html       Replace every `__CSP_NONCE__` with a random nonce per response and insert the settings after `<head>`
 *                   as meta tags trellis-mailbox, -terms-url, -privacy-url, -report-dsn, -support, -sso (name of the
 *                   identity provider), -payment-sandbox; all optional. Send with `cache-control: no-store` and a CSP.
 * dist/assets/*     Content-hashed and immutable; `.br` and `.gz` are there for files worth compressing.
 *                   `spark-frame-*.js` needs `cross-origin-resource-policy: cross-origin` for its opaque origin.
 * dist/*.svg …      The rest of `public/`, cached for a short time.
 * dist/.vite/*      Manifests of chunks for sizes.ts; never served.
 *
 * The public pages and the app are two builds: in one, the schemas of the app would end up in chunks that the public
 * pages load. The app is prefetched while the person types.
 */
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'vite'
import { compressAll } from './compress.ts'
import { fillTemplate } from './auth-template.ts'
import type { RenderedPage } from './auth-template.ts'
import { inlineCss, nameAssets, preloadFont } from './inline.ts'
import { ENTRIES, entryFiles, MANIFESTS } from './manifest.ts'
import { preloadPages } from './preload.ts'
import { writeSparkFrame } from './spark-frame-page.ts'

interface AuthServer {
  AUTH_PATHS: readonly string[]
  renderAuthPage: (path: string) => RenderedPage
}

const web = join(import.meta.dirname, '..')
const dist = join(web, 'dist')
const ssr = join(dist, '.ssr')
const SPARK_FRAME = 'spark-frame.html'
const config = { configFile: join(web, 'vite.config.ts'), logLevel: 'warn' } as const

async function buildWeb(): Promise<void> {
  const { AUTH_PATHS, renderAuthPage } = await loadAuthServer()
  await build({ ...config, build: { emptyOutDir: true, manifest: MANIFESTS.app } })
  await build({
    ...config,
    build: { emptyOutDir: false, manifest: MANIFESTS.auth, rolldownOptions: { input: 'sign-in.html' } },
  })
  await buildSparkFrame()

  const template = await readAuthTemplate()
  const pages: Record<string, string> = {}
  for (const path of AUTH_PATHS) {
    const file = `sign-in/${path === '/' ? 'login' : path.slice(1).replaceAll('/', '-')}.html`
    pages[path] = file
    await mkdir(dirname(join(dist, file)), { recursive: true })
    await writeFile(join(dist, file), fillTemplate(template, renderAuthPage(path)))
  }
  await rm(join(dist, 'sign-in.html'))
  await rename(join(dist, 'index.html'), join(dist, 'app.html'))
  const app = await readFile(join(dist, 'app.html'), 'utf8')
  await writeFile(join(dist, 'app.html'), await preloadPages(await preloadFont(app, dist), dist))
  await writeFile(
    join(dist, 'pages.json'),
    `${JSON.stringify({ pages, app: 'app.html', sparkFrame: SPARK_FRAME }, null, 2)}\n`,
  )
  await compressAll(join(dist, 'assets'))
}

/** A single file: an opaque origin cannot load modules. */
async function buildSparkFrame(): Promise<void> {
  await build({
    ...config,
    build: {
      emptyOutDir: false,
      copyPublicDir: false,
      manifest: MANIFESTS.sparkFrame,
      modulePreload: false,
      // Inlined, because an opaque origin cannot load fonts either.
      assetsInlineLimit: 100_000,
      rolldownOptions: {
        input: ENTRIES.sparkFrame,
        checks: { emptyImportMeta: false },
        output: { format: 'iife', codeSplitting: false, entryFileNames: 'assets/spark-frame-[hash].js' },
      },
    },
  })
  await writeSparkFrame(dist, SPARK_FRAME)
}

async function readAuthTemplate(): Promise<string> {
  const html = await inlineCss(await readFile(join(dist, 'sign-in.html'), 'utf8'), dist)
  return nameAssets(html, await entryFiles(dist, 'app'))
}

/** A second build of the public pages for Node, to prerender them. */
async function loadAuthServer(): Promise<AuthServer> {
  await build({
    ...config,
    ssr: { noExternal: [/^@trellis\//] },
    build: {
      ssr: 'src/auth/auth-server.tsx',
      outDir: ssr,
      emptyOutDir: true,
      manifest: false,
      rolldownOptions: { output: { entryFileNames: 'auth-server.mjs' } },
    },
  })
  const auth = (await import(pathToFileURL(join(ssr, 'auth-server.mjs')).href)) as AuthServer
  await rm(ssr, { recursive: true })
  return auth
}

if (import.meta.main) await buildWeb()
