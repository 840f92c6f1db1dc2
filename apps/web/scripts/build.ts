/**
 * Builds the web into apps/web/dist. What the server finds there and has to do with it:
 *
 * dist/pages.json   { "pages": { "/login": "sign-in/login.html", … }, "app": "app.html", "sparkFrame": "spark-frame.html" }
 *                   A path in `pages` is answered with that file, every other page path with `app`. `sparkFrame` is the
 *                   page of /spark-frame, which has a policy of its own.
 * dist/*.html       Before sending, replace every `__CSP_NONCE__` with a fresh random nonce (inline script and style
 *                   carry it) and put the settings of this installation right after `<head>` as meta tags:
 *                   trellis-mailbox, trellis-terms-url, trellis-privacy-url, trellis-report-dsn, trellis-support,
 *                   trellis-sso (the name of the identity provider), trellis-payment-sandbox. All are optional.
 *                   Send compressed, with `cache-control: no-store` and
 *                   `content-security-policy: default-src 'none'; script-src 'self' 'nonce-…'; style-src 'self' 'nonce-…';
 *                    font-src 'self'; img-src 'self' data: blob:; connect-src 'self'; worker-src 'self' blob:;
 *                    frame-src …/spark-frame; manifest-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none';
 *                    require-trusted-types-for 'script'`
 * dist/assets/*     Content-hashed: `cache-control: public, max-age=31536000, immutable`. `.br` and `.gz` lie beside each
 *                   file worth compressing; serve them by Accept-Encoding with `vary: accept-encoding`.
 *                   `spark-frame-*.js` is loaded by an opaque origin: `cross-origin-resource-policy: cross-origin`.
 * dist/*.svg …      The rest of `public/`, cached for a short time.
 * dist/.vite/*      Which chunk needs which, for each entry; read by sizes.ts, never served.
 *
 * The public pages and the app are two builds: in one, every schema feature the app uses would end up in a chunk
 * that the public pages load too. What sharing would have saved is fetched ahead while the person types.
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

/** One file without imports, which an opaque origin could not load. */
async function buildSparkFrame(): Promise<void> {
  await build({
    ...config,
    build: {
      emptyOutDir: false,
      copyPublicDir: false,
      manifest: MANIFESTS.sparkFrame,
      modulePreload: false,
      // The text font, which it could not load either.
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

/** The public pages once more, built for Node, to render their first state. */
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
