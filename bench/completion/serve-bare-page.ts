import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Page } from '@playwright/test'

interface Built {
  readonly fileName: string
  readonly code?: string
  readonly source?: string | Uint8Array
}
interface Bundler {
  build(options: object): Promise<{ output: Built[] } | { output: Built[] }[]>
}

const PATH = '/bare-editor'
const TYPES: Record<string, string> = { js: 'text/javascript', css: 'text/css', ttf: 'font/ttf' }

export async function openBarePage(page: Page, origin: string): Promise<void> {
  const files = await bundle()
  const isStyle = ({ fileName }: Built) => fileName.endsWith('.css')
  const links = files.filter(isStyle).map(({ fileName }) => `<link rel="stylesheet" href="${PATH}/${fileName}">`)
  const html = `<!doctype html><html><head>${links.join('')}</head>
    <body style="margin:0"><div id="editor" style="height:500px"></div>
    <script type="module" src="${PATH}/page.js"></script></body></html>`
  await page.route(`**${PATH}/**`, async (route) => {
    const name = new URL(route.request().url()).pathname.slice(PATH.length + 1)
    const file = files.find(({ fileName }) => fileName === name)
    if (name === '') return await route.fulfill({ contentType: 'text/html', body: html })
    if (!file) return await route.fulfill({ status: 404 })
    const body = file.code ?? file.source ?? ''
    const contentType = TYPES[name.split('.').at(-1) ?? ''] ?? 'application/octet-stream'
    await route.fulfill({ contentType, body: typeof body === 'string' ? body : Buffer.from(body) })
  })
  await page.goto(`${origin}${PATH}/`)
  await page.locator('.monaco-editor .view-lines').first().waitFor()
}

async function bundle(): Promise<Built[]> {
  const web = createRequire(join(import.meta.dirname, '..', '..', 'apps', 'web', 'package.json'))
  const { build } = (await import(pathToFileURL(web.resolve('vite')).href)) as Bundler
  const built = await build({
    configFile: false,
    logLevel: 'error',
    root: import.meta.dirname,
    base: `${PATH}/`,
    define: { 'process.env.NODE_ENV': '"production"' },
    worker: { format: 'es' },
    build: {
      write: false,
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      rolldownOptions: {
        input: { page: join(import.meta.dirname, 'bare-page.ts') },
        output: { entryFileNames: '[name].js' },
      },
    },
  })
  return (Array.isArray(built) ? built : [built]).flatMap(({ output }) => output)
}
