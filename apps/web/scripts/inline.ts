import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

const STYLESHEET = /<link rel="stylesheet"[^>]*href="\/(assets\/[^"]+\.css)"[^>]*>\s*/g
const LATIN_FONT = /^geist-latin-wght-normal-.+\.woff2$/

/** Inlines the few kilobytes of CSS of the public pages. */
export async function inlineCss(html: string, dist: string): Promise<string> {
  const files = [...html.matchAll(STYLESHEET)].map(([, file]) => file ?? '')
  const css = await Promise.all(files.map((file) => readFile(join(dist, file), 'utf8')))
  const style = `<style nonce="__CSP_NONCE__">${css.join('').replaceAll('</style', '<\\/style')}</style>`
  return html.replace(STYLESHEET, '').replace('</head>', () => `  ${style}\n  </head>`)
}

/** Lists what the public pages prefetch once somebody types. */
export function nameAssets(html: string, files: readonly string[]): string {
  const meta = `<meta name="trellis-app-assets" content="${files.map((file) => `/${file}`).join(' ')}" />`
  return afterTitle(html, meta)
}

/** Avoids a layout shift: without the preload the font is found only after the style sheet. */
export async function preloadFont(html: string, dist: string): Promise<string> {
  const font = (await readdir(join(dist, 'assets'))).find((file) => LATIN_FONT.test(file))
  if (!font) throw new Error('The build has no Latin text font')
  const link = `<link rel="preload" as="font" type="font/woff2" href="/assets/${font}" crossorigin />`
  return afterTitle(html, link)
}

/** Before the style sheets: a script behind them waits until they are loaded. */
export function afterTitle(html: string, tag: string): string {
  return html.replace('</title>', () => `</title>\n    ${tag}`)
}
