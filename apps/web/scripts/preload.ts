import { afterTitle } from './inline.ts'
import { getChunk, ENTRIES, type Manifest, collectFiles, readManifest } from './manifest.ts'

const PAGES = {
  dashboard: 'src/features/workspaces/home/DashboardPage.tsx',
  dataflows: 'src/features/dataflows/list/DataflowsPage.tsx',
  integrations: 'src/features/integrations/list/IntegrationsPage.tsx',
  sparks: 'src/features/sparks/gallery/SparksPage.tsx',
}

/** Without it a page's own files are found only after the whole entry has run. */
export async function preloadPages(html: string, dist: string): Promise<string> {
  const manifest = await readManifest(dist, 'app')
  const files = Object.fromEntries(Object.entries(PAGES).map(([word, key]) => [word, listOwnFiles(manifest, key)]))
  return afterTitle(html, `<script nonce="__CSP_NONCE__">${toScript(files)}</script>`)
}

function listOwnFiles(manifest: Manifest, key: string): string[] {
  const entry = collectFiles(manifest, ENTRIES.app)
  const ownChunks = [...collectFiles(manifest, key)]
    .filter((chunk) => !entry.has(chunk))
    .map((chunk) => getChunk(manifest, chunk))
  return [...new Set(ownChunks.flatMap(({ file, css = [] }) => [file, ...css]))]
}

const toScript = (files: Record<string, string[]>): string => `(function(f,m){
((m=/^\\/[^/]+\\/[^/]+\\/(\\w+)\\/?$/.exec(location.pathname))&&Object.hasOwn(f,m[1])?f[m[1]]:[]).forEach(function(u,l){
l=document.createElement('link');
if(/css$/.test(u)){l.rel='preload';l.as='style'}else l.rel='modulepreload';
l.crossOrigin='';l.href='/'+u;document.head.append(l)})
})(${JSON.stringify(files)})`
