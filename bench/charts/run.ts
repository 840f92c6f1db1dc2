import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { chromium } from '@playwright/test'
import { CHROMIUM_FLAGS, getWholeChromium } from '../../e2e/harness/chromium.ts'
import { type Figure, median, report } from '../report.ts'

const ROUNDS = 7

interface ChartBench {
  createRows(count: number): string[][]
  drawOurs(kind: string, rows: string[][]): number
  drawBare(kind: string, rows: string[][]): number
}

/** From result rows to a chart, against the same points on a bare canvas. */
export async function run(args: string[]): Promise<void> {
  const count = args.includes('--points') ? Number(args[args.indexOf('--points') + 1]) : 100_000
  const script = await bundlePage()
  const browser = await chromium.launch({ executablePath: getWholeChromium(), args: CHROMIUM_FLAGS })
  try {
    const page = await browser.newPage()
    await page.setContent('<!doctype html><body></body>')
    await page.addScriptTag({ content: script })
    const figures: Figure[] = []
    for (const kind of ['line', 'scatter'] as const) {
      const rounds: { ours: number; bare: number }[] = []
      for (let round = 0; round < ROUNDS; round += 1) {
        rounds.push(
          await page.evaluate(
            ([kind, count]) => {
              const { chartBench } = window as unknown as { chartBench: ChartBench }
              const rows = chartBench.createRows(count)
              return { bare: chartBench.drawBare(kind, rows), ours: chartBench.drawOurs(kind, rows) }
            },
            [kind, count] as const,
          ),
        )
      }
      const what = `${count.toLocaleString('en')} points, ${kind}`
      const ours = median(rounds.map((round) => round.ours))
      figures.push(
        { what: `${what}: rows to picture`, value: ours, unit: 'ms' },
        {
          what: `${what}: against a bare canvas`,
          value: median(rounds.map((round) => round.ours / round.bare)),
          unit: 'times',
          limit: { value: 4, isAtMost: true },
        },
      )
    }
    await report('charts', figures)
  } finally {
    await browser.close()
  }
}

interface Bundler {
  build(options: object): Promise<{ output: { code: string }[] } | { output: { code: string }[] }[]>
}

async function bundlePage(): Promise<string> {
  const web = createRequire(join(import.meta.dirname, '..', '..', 'apps', 'web', 'package.json'))
  const { build } = (await import(pathToFileURL(web.resolve('vite')).href)) as Bundler
  const built = await build({
    configFile: false,
    logLevel: 'error',
    root: import.meta.dirname,
    define: { 'process.env.NODE_ENV': '"production"' },
    build: {
      write: false,
      lib: { entry: join(import.meta.dirname, 'page.ts'), formats: ['iife'], name: 'page' },
    },
  })
  const [bundle] = Array.isArray(built) ? built : [built]
  const chunk = bundle?.output[0]
  if (!chunk) throw new Error('The page could not be bundled')
  return chunk.code
}
