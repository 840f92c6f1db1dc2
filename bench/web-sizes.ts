import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { ENTRIES, getChunk, type Manifest, collectFiles, readManifest } from '../apps/web/scripts/manifest.ts'
import type { Figure } from './report.ts'

const DIST = join(import.meta.dirname, '..', 'apps', 'web', 'dist')
const PUBLIC_FRAME = 'src/app/shell/PublicFrame.tsx'
const CANVAS = 'src/features/dataflows/editor/view/FlowCanvas.tsx'
const CHARTS = 'src/charts/ChartPlot.tsx'
const WORKSHEET = 'src/features/worksheets/editor/Worksheet.tsx'
const HOME = 'src/features/workspaces/WorkspacesPage.tsx'
const PUBLIC_PAGES = /\/(mailbox|api-reference|identity)\/\w+Page\.tsx$/
const PAGES = /^src\/features\/.+(Page|Tab)\.tsx$/

const DASHBOARD = 'src/features/workspaces/home/DashboardPage.tsx'
const DASHBOARD_PARTS = [
  'src/features/workspaces/home/tiles/SparkTiles.tsx',
  'src/features/workspaces/home/WorkspaceFacts.tsx',
]
const DASHBOARD_ROUTES = /\/(workspaces\/home|sparks)\//

/** Compressed JavaScript of a cold visit against the budgets; routes without the shared shell. */
export async function measureSizes(): Promise<Figure[]> {
  const [auth, app] = await Promise.all([readManifest(DIST, 'auth'), readManifest(DIST, 'app')])
  const home = new Set([...toShell(app), ...collectFiles(app, HOME)])
  const beside = (key: string) => [...collectFiles(app, key)].filter((chunk) => !toShell(app).has(chunk))
  return [
    toFigure('sign-in pages', await sumSizes(auth, collectFiles(auth, ENTRIES.auth)), 90),
    toFigure('shell and home', await sumSizes(app, home), 180),
    toFigure('canvas, only when opened', await sumSizes(app, [CANVAS]), 65),
    toFigure('charts, only when opened', await sumSizes(app, beside(CHARTS)), 220),
    await measureSparkFrame(),
    toFigure('worksheet, beside its text', await sumSizes(app, beside(WORKSHEET)), 25),
    ...(await measureRoutes(app, PAGES)),
  ]
}

export async function measureDashboardSizes(): Promise<Figure[]> {
  const app = await readManifest(DIST, 'app')
  const shell = toShell(app)
  const whole = [DASHBOARD, ...DASHBOARD_PARTS].flatMap((key) => [...collectFiles(app, key)])
  return [
    ...(await measureRoutes(app, DASHBOARD_ROUTES)),
    toFigure(
      'beyond the frame: dashboard with tiles and facts',
      await sumSizes(
        app,
        whole.filter((chunk) => !shell.has(chunk)),
      ),
      30,
    ),
    await measureSparkFrame(),
  ]
}

const toShell = (app: Manifest) => collectFiles(app, ENTRIES.app)

const toFigure = (what: string, value: number, budget: number): Figure => ({
  what: `${what}, JavaScript`,
  value,
  unit: 'KB gz',
  limit: { value: budget, isAtMost: true },
})

async function measureSparkFrame(): Promise<Figure> {
  const manifest = await readManifest(DIST, 'sparkFrame')
  return toFigure('frame of a spark, only when opened', await sumSizes(manifest, [ENTRIES.sparkFrame]), 370)
}

async function measureRoutes(app: Manifest, wanted: RegExp): Promise<Figure[]> {
  const shell = toShell(app)
  const frame = new Set([...collectFiles(app, ENTRIES.app), ...collectFiles(app, PUBLIC_FRAME)])
  const routes = Object.keys(app).filter((key) => PAGES.test(key) && wanted.test(key))
  return await Promise.all(
    routes.toSorted().map(async (route) => {
      const around = PUBLIC_PAGES.test(route) ? frame : shell
      const ownFiles = [...collectFiles(app, route)].filter((chunk) => !around.has(chunk))
      return toFigure(`beyond the frame: ${route.replace('src/features/', '')}`, await sumSizes(app, ownFiles), 15)
    }),
  )
}

async function sumSizes(manifest: Manifest, keys: Iterable<string>): Promise<number> {
  const files = [...new Set([...keys].map((key) => getChunk(manifest, key).file))]
  const sizes = await Promise.all(
    files.map(async (file) => gzipSync(await readFile(join(DIST, file)), { level: 9 }).length),
  )
  return sizes.reduce((sum, size) => sum + size, 0) / 1024
}
