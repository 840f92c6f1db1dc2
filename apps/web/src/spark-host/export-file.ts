import type { FrameRows, ParameterValues } from '@trellis/contract/sparks/spark-bridge.schemas'
import type { SparkContent } from '@trellis/contract/sparks/spark-content.schemas'
import { fetchText } from '../api/fetch-document.ts'
import { readFrameTheme } from './frame-theme.ts'

const FRAME_URL = '/spark-frame'
const SCRIPT = /<script[^>]* src="(\/assets\/spark-frame-[\w-]+\.js)"/
/** No network, for the file and the frame inside it. */
const POLICY =
  "default-src 'none'; script-src 'unsafe-inline' 'unsafe-eval'; style-src 'unsafe-inline'; img-src data: blob:; font-src data:; form-action 'none'; base-uri 'none'"

interface ExportedSpark {
  name: string
  content: SparkContent
  parameters: ParameterValues
  readRows: (source: string, parameters: ParameterValues) => Promise<FrameRows>
}

/** In an exported file the spark's code stays in a frame of its own too. */
export async function buildExportFile({ name, content, parameters, readRows }: ExportedSpark): Promise<string> {
  const page = await fetchText(FRAME_URL)
  const path = SCRIPT.exec(page)?.[1] as `/${string}` | undefined
  if (path === undefined) throw new Error('The page of the frame names no script')
  const [script, ...answers] = await Promise.all([
    fetchText(path),
    ...content.sources.map(async ({ key }) => {
      try {
        return [key, { kind: 'rows', rows: await readRows(key, parameters) }] as const
      } catch (problem) {
        return [key, { kind: 'problem', message: (problem as Error).message }] as const
      }
    }),
  ])
  const kept = {
    themes: { light: readFrameTheme('light'), dark: readFrameTheme('dark') },
    // The SQL is not exported.
    content: { ...content, sources: content.sources.map((source) => ({ ...source, sql: '--' })) },
    parameters,
    answers: Object.fromEntries(answers),
  }
  const inner = `<!doctype html><html lang="en" data-theme="light"><head><meta charset="utf-8"><title>Spark</title></head><body><div id="root"></div><script>${escapeScript(script)}</script></body></html>`
  const when = new Date().toLocaleString('en-GB', { dateStyle: 'long', timeStyle: 'short' })
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeText(name)}</title>
<style>:root{color-scheme:light dark}body{margin:0 auto;max-width:1200px;padding:16px;font:13px/20px system-ui,sans-serif}h1{margin:0;font-size:18px}p{margin:2px 0 12px;opacity:.75}iframe{display:block;width:100%;border:0}</style>
</head>
<body>
<h1>${escapeText(name)}</h1>
<p>Rows of ${escapeText(when)}. This file works without a network and does not change.</p>
<script type="application/json" id="kept">${escapeJson(kept)}</script>
<script type="application/json" id="inner">${escapeJson(inner)}</script>
<script>${HOST_SCRIPT}</script>
</body>
</html>
`
}

const HOST_SCRIPT = `(function () {
  var read = function (id) { return JSON.parse(document.getElementById(id).textContent) }
  var kept = read('kept')
  var dark = matchMedia('(prefers-color-scheme: dark)')
  var frame = document.createElement('iframe')
  var send = function (message) { frame.contentWindow.postMessage(message, '*') }
  var theme = function () { return dark.matches ? kept.themes.dark : kept.themes.light }
  frame.title = document.title
  frame.setAttribute('sandbox', 'allow-scripts')
  frame.style.height = '400px'
  addEventListener('message', function (event) {
    if (event.source !== frame.contentWindow || !event.data) return
    var message = event.data
    if (message.kind === 'ready') send({ kind: 'start', content: kept.content, parameters: kept.parameters, theme: theme(), is_frozen: true })
    if (message.kind === 'height' && message.pixels >= 0 && message.pixels <= 20000) frame.style.height = message.pixels + 'px'
    if (message.kind === 'read') {
      var answer = Object.prototype.hasOwnProperty.call(kept.answers, message.source) ? kept.answers[message.source] : { kind: 'problem', message: 'There is no such source in this file.' }
      send(Object.assign({ request: message.request }, answer))
    }
  })
  dark.addEventListener('change', function () { send({ kind: 'theme', theme: theme() }) })
  frame.srcdoc = read('inner')
  document.body.append(frame)
})()`

/** Prevents the content from closing the script or opening a comment. */
const escapeScript = (text: string) => text.replaceAll('</script', '<\\/script').replaceAll('<!--', '<\\!--')
const escapeJson = (value: unknown) => JSON.stringify(value).replaceAll('<', '\\u003c')
const escapeText = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
