import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { ENTRIES, getChunk, type Manifest, needed, readManifest } from '../apps/web/scripts/manifest.ts'
import type { Figure } from './report.ts'

const DIST = join(import.meta.dirname, '..', 'apps', 'web', 'dist')
const SHELL = 'src/app/shell/Shell.tsx'
const PUBLIC_FRAME = 'src/app/shell/PublicFrame.tsx'
const CANVAS = 'src/features/dataflows/editor/view/FlowCanvas.tsx'
const CHARTS = 'src/charts/ChartPlot.tsx'
const WORKSHEET = 'src/features/worksheets/editor/Worksheet.tsx'
const HOME = 'src/features/workspaces/WorkspacesPage.tsx'
const PUBLIC_PAGES = /\/(mailbox|api-reference|identity)\/\w+Page\.tsx$/
const PAGES = /^src\/features\/.+(Page|Tab)\.tsx$/

/**
 * JavaScript of a cold visit, compressed, against the budgets; routes by what they add to the frame around them.
 */
export async function measureSizes(): Promise<Figure[]> {
  const [door, app, sparkFrame] = await Promise.all([
    readManifest(DIST, 'door'),
    readManifest(DIST, 'app'),
    readManifest(DIST, 'sparkFrame'),
  ])
  const shell = new Set([...needed(app, ENTRIES.app), ...needed(app, SHELL)])
  const frame = new Set([...needed(app, ENTRIES.app), ...needed(app, PUBLIC_FRAME)])
  const home = new Set([...shell, ...needed(app, HOME)])
  const kb = (what: string, value: number, budget: number): Figure => ({
    what: `${what}, JavaScript`,
    value,
    unit: 'KB gz',
    limit: { value: budget, isAtMost: true },
  })
  const figures = [
    kb('sign-in pages', await sizeOf(door, needed(door, ENTRIES.door)), 90),
    kb('shell and home', await sizeOf(app, home), 180),
    kb('canvas, only when opened', await sizeOf(app, [CANVAS]), 65),
    kb(
      'charts, only when opened',
      await sizeOf(
        app,
        [...needed(app, CHARTS)].filter((chunk) => !shell.has(chunk)),
      ),
      220,
    ),
    kb('frame of a spark, only when opened', await sizeOf(sparkFrame, [ENTRIES.sparkFrame]), 370),
    kb(
      'worksheet, beside its text',
      await sizeOf(
        app,
        [...needed(app, WORKSHEET)].filter((chunk) => !shell.has(chunk)),
      ),
      25,
    ),
  ]
  for (const route of Object.keys(app)
    .filter((key) => PAGES.test(key))
    .toSorted()) {
    const around = PUBLIC_PAGES.test(route) ? frame : shell
    const own = [...needed(app, route)].filter((chunk) => !around.has(chunk))
    figures.push(kb(`beyond the frame: ${route.replace('src/features/', '')}`, await sizeOf(app, own), 15))
  }
  return figures
}

async function sizeOf(manifest: Manifest, keys: Iterable<string>): Promise<number> {
  const files = [...new Set([...keys].map((key) => getChunk(manifest, key).file))]
  const sizes = await Promise.all(
    files.map(async (file) => gzipSync(await readFile(join(DIST, file)), { level: 9 }).length),
  )
  return sizes.reduce((sum, size) => sum + size, 0) / 1024
}
