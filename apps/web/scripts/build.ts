/**
 * Builds the web into apps/web/dist. What the server finds there and has to do with it:
 *
 * dist/pages.json   { "pages": { "/login": "door/login.html", … }, "app": "app.html" }
 *                   A path in `pages` is answered with that file, every other page path with `app`.
 * dist/*.html       Before sending, replace every `__CSP_NONCE__` with a fresh random nonce (inline script and style
 *                   carry it) and `<!--trellis:meta-->` with the settings of this installation as meta tags:
 *                   trellis-mailbox, trellis-terms-url, trellis-privacy-url, trellis-report-dsn. All are optional.
 *                   Send with `cache-control: no-store` and
 *                   `content-security-policy: default-src 'none'; script-src 'self' 'nonce-…'; style-src 'self' 'nonce-…';
 *                    font-src 'self'; img-src 'self' data: blob:; connect-src 'self'; worker-src 'self' blob:;
 *                    frame-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none';
 *                    require-trusted-types-for 'script'`
 * dist/assets/*     Content-hashed: `cache-control: public, max-age=31536000, immutable`. `.br` and `.gz` lie beside each
 *                   file worth compressing; serve them by Accept-Encoding with `vary: accept-encoding`.
 * dist/*.svg …      The rest of `public/`, cached for a short time.
 * dist/.vite/manifest.json   Which chunk needs which; read by sizes.ts, never served.
 */
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'vite'
import { compressAll } from './compress.ts'
import { fillDoor } from './door-template.ts'
import type { RenderedDoor } from './door-template.ts'
import { inlineCss, preloadFont } from './inline.ts'

interface DoorServer {
  DOOR_PATHS: readonly string[]
  renderDoor: (path: string) => RenderedDoor
}

const web = join(import.meta.dirname, '..')
const dist = join(web, 'dist')
const ssr = join(web, 'dist', '.ssr')

export async function buildWeb(): Promise<void> {
  await build({ configFile: join(web, 'vite.config.ts'), logLevel: 'warn', build: { emptyOutDir: true } })
  const { DOOR_PATHS, renderDoor } = await loadDoorServer()

  const template = await preloadFont(await inlineCss(await readFile(join(dist, 'door.html'), 'utf8'), dist), dist)
  const pages: Record<string, string> = {}
  for (const path of DOOR_PATHS) {
    const file = `door/${path === '/' ? 'login' : path.slice(1).replaceAll('/', '-')}.html`
    pages[path] = file
    await mkdir(dirname(join(dist, file)), { recursive: true })
    await writeFile(join(dist, file), fillDoor(template, renderDoor(path)))
  }
  await rm(join(dist, 'door.html'))
  await rename(join(dist, 'index.html'), join(dist, 'app.html'))
  const app = await readFile(join(dist, 'app.html'), 'utf8')
  await writeFile(join(dist, 'app.html'), await preloadFont(app, dist))
  await writeFile(join(dist, 'pages.json'), `${JSON.stringify({ pages, app: 'app.html' }, null, 2)}\n`)
  await compressAll(join(dist, 'assets'))
}

/** The public pages once more, built for Node, to render their first state. */
async function loadDoorServer(): Promise<DoorServer> {
  await build({
    configFile: join(web, 'vite.config.ts'),
    logLevel: 'warn',
    ssr: { noExternal: [/^@trellis\//] },
    build: {
      ssr: 'src/door/door-server.tsx',
      outDir: ssr,
      emptyOutDir: true,
      manifest: false,
      rolldownOptions: { input: 'src/door/door-server.tsx', output: { entryFileNames: 'door-server.mjs' } },
    },
  })
  const door = (await import(pathToFileURL(join(ssr, 'door-server.mjs')).href)) as DoorServer
  await rm(ssr, { recursive: true })
  return door
}

if (import.meta.main) await buildWeb()
