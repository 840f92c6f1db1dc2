import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import type { Plugin, ViteDevServer } from 'vite'
import { fillTemplate } from './scripts/auth-template.ts'
import { FIRST_PAINT } from './scripts/first-paint.ts'
import { leanContract } from './scripts/lean-contract.ts'

const API_URL = process.env['TRELLIS_DEV_API_URL'] ?? 'http://localhost:4600'

/** From the last build: modules are not loaded into an opaque origin. */
const BUILT = ['/spark-frame', '/assets']

const SHELL =
  /src[\\/](app[\\/](shell[\\/](areas|Sidebar|TopBar|Shell)|account-tabs|loading[\\/]Loaded)|api[\\/]use-events|features[\\/](accounts[\\/]AccountGate|workspaces[\\/]WorkspaceFrame))\.tsx?$/

export default defineConfig({
  root: import.meta.dirname,
  plugins: [
    react(),
    leanContract(),
    firstPaint(),
    prerenderedStyles(),
    editorStyles(),
    chartRoots(),
    authPagesInDevelopment(),
  ],
  html: { cspNonce: '__CSP_NONCE__' },
  worker: { format: 'es' },
  build: {
    target: 'baseline-widely-available',
    manifest: true,
    reportCompressedSize: false,
    chunkSizeWarningLimit: 4000,
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            { name: 'react', test: /node_modules[\\/](react|react-dom|scheduler)[\\/]/, priority: 30 },
            {
              name: 'ui',
              // Markdown, meters and suggestions are on few pages.
              test: /src[\\/]ui[\\/](actions|data|feedback|forms|layout|overlays)[\\/](?!Markdown|draw-markdown|markdown|Meters|UsageBars|SuggestionList|suggestion-list|use-suggestion-list)/,
              priority: 20,
              minShareCount: 3,
            },
            // One chunk is faster than a request per icon.
            { name: 'icons', test: /node_modules[\\/]lucide-react[\\/]/, priority: 15, minShareCount: 3 },
            // Compressed separately, thirty icons and queries would cost twice as much.
            { name: 'shell', test: SHELL, priority: 10 },
          ],
        },
      },
    },
  },
  server: {
    host: '127.0.0.1',
    proxy: Object.fromEntries(
      ['/auth', '/api', '/openapi.json', '/report', '/hooks', ...BUILT].map((path) => [path, API_URL]),
    ),
  },
})

function firstPaint(): Plugin {
  return {
    name: 'trellis:first-paint',
    transformIndexHtml: () => [{ tag: 'script', children: FIRST_PAINT, injectTo: 'head-prepend' }],
  }
}

/** CSS of prerendered-only parts is imported by no client script and would be tree-shaken. */
function prerenderedStyles(): Plugin {
  return {
    name: 'trellis:prerendered-styles',
    enforce: 'post',
    transform: {
      order: 'post',
      filter: { id: /src\/auth\/(frame|picture\/picture)\.module\.css$/ },
      handler: (code) => ({ code, map: null, moduleSideEffects: 'no-treeshake' }),
    },
  }
}

/** The CSP requires a nonce on styles, which the editor does not set. */
function editorStyles(): Plugin {
  const MAKES_STYLE = "document.createElement('style')"
  return {
    name: 'trellis:editor-styles',
    transform: {
      filter: { id: /monaco-editor\/esm\/vs\/base\/browser\/(domStylesheets|ui\/contextview\/contextview)\.js$/ },
      handler(code) {
        if (!code.includes(MAKES_STYLE)) this.error('The editor makes its styles in another way now')
        const withNonce = `Object.assign(${MAKES_STYLE}, { nonce: document.querySelector('[nonce]')?.nonce ?? '' })`
        return { code: code.replaceAll(MAKES_STYLE, withNonce), map: null }
      },
    },
  }
}

/** Trusted Types refuse assignments to innerHTML, also the empty one of the chart library. */
function chartRoots(): Plugin {
  const EMPTIES = "root.innerHTML = ''"
  return {
    name: 'trellis:chart-roots',
    transform: {
      filter: { id: /zrender\/lib\/(canvas|svg)\/Painter\.js$/ },
      handler(code) {
        if (!code.includes(EMPTIES)) this.error('The chart library empties its element in another way now')
        return { code: code.replaceAll(EMPTIES, 'root.replaceChildren()'), map: null }
      },
    },
  }
}

/** In development the public pages are rendered on request instead of prerendered. */
function authPagesInDevelopment(): Plugin {
  let server: ViteDevServer | undefined
  return {
    name: 'trellis:auth-pages-in-development',
    apply: 'serve',
    configureServer(dev) {
      server = dev
      dev.middlewares.use((request, _response, next) => {
        const path = (request.url ?? '').split('?')[0] ?? ''
        dev
          .ssrLoadModule('/src/auth/auth-server.tsx')
          .then(({ AUTH_PATHS }) => {
            if ((AUTH_PATHS as string[]).includes(path))
              request.url = `/sign-in.html${(request.url ?? '').slice(path.length)}`
          })
          .then(() => next(), next)
      })
    },
    async transformIndexHtml(html, { originalUrl, path }) {
      if (!server || path !== '/sign-in.html') return html
      const { renderAuthPage } = await server.ssrLoadModule('/src/auth/auth-server.tsx')
      const asked = new URL(originalUrl ?? '/', 'http://localhost').pathname
      return fillTemplate(html, renderAuthPage(asked === '/sign-in.html' ? '/login' : asked))
    },
  }
}
