import { expect, test } from 'vitest'
import type { Figure } from '../report.ts'
import { type Measured, makePage } from './page.ts'
import { plotCurve, plotMargins } from './plots.ts'

const machine = { cpus: 2, model: 'x', memory: 8 * 1024 ** 3, node: 'v24' }
const measured = (name: string, figures: Figure[], isQuick = false): Measured => ({
  ...{ name, at: '2026-01-02T03:04:05Z', machine, figures, isQuick },
  ...{ revision: 'abc', load: [0.1, 2] },
})
const parse = (plot: string) => [...plot.matchAll(/<rect x="400"[^>]* width="([\d.]+)"[^>]* fill="(#\w+)"/g)]

test('says what missed in both directions, what held only in the table, and what left no figures', () => {
  const results = [
    measured('loads', [
      { what: 'memory', value: 300, unit: 'MB', limit: { value: 256, isAtMost: true } },
      { what: 'share of COPY', value: 0.9, unit: '×', limit: { value: 0.8, isAtMost: false } },
      { what: 'psql', value: 12, unit: 'MB/s', peer: 'bare | COPY' },
    ]),
  ]
  const { text } = makePage(results, [{ name: 'web', why: 'no Chromium' }])
  const [missed = '', table = ''] = text.split('## Distance')
  expect(text).toContain('Of 2 limits 1 held.')
  expect(text).not.toContain('uick')
  expect(missed).toContain('- loads: memory: 300 MB, limit ≤ 256 MB')
  expect(missed).toContain('- web: no figures: no Chromium')
  expect(missed).not.toContain('share of COPY')
  expect(table).toContain('| share of COPY | 0.90 × | ≥ 0.8 × | holds |')
  expect(table).toContain(String.raw`| psql | 12.00 MB/s | peer: bare \| COPY |  |`)
})

test('a quick run is called one, and nothing missed is said', () => {
  const { text, plots } = makePage([
    measured('loads', []),
    measured('api', [{ what: 'rate', value: 1, unit: '/s' }], true),
  ])
  expect(text).toContain('With quick runs')
  expect(text).toContain(
    '### loads\n\nRevision abc, 2026-01-02, 2 × x, 8 GiB, Node v24, load of the machine 0.1 before and 2.0 after.\n',
  )
  expect(text).toMatch(/### api\n\nRevision abc.* a quick run\.\n/)
  expect(text).toContain('Nothing.')
  expect([...plots.keys()]).toEqual([])
})

test('growth is drawn from figures of several results, in order', () => {
  const due = (count: number, value: number) => [
    { what: `${count} due at once: the last has started`, value, unit: 's' },
  ]
  const { text, plots } = makePage([measured('scheduling', due(1000, 3)), measured('scheduling-100', due(100, 0.5))])
  expect(text).toContain('### Until the last of flows due at once has started')
  const [name] = [...plots.keys()]
  expect(text).toContain(`](${name})`)
  const labels = [...(plots.get(name ?? '') ?? '').matchAll(/>([\d.,]+(?: s)?)</g)].map(([, label]) => label)
  expect(labels).toEqual(['0.5 s', '100', '3 s', '1,000', '0'])
})

test('a bar ends at its share of the limit, and text is escaped', () => {
  const plot = plotMargins([
    { what: 'a < b', share: 2 },
    { what: 'missed', share: 0.5 },
    { what: 'far', share: 50 },
  ])
  const [held, missed, far] = parse(plot).map(([, width, color]) => ({ width: Number(width), color }))
  expect(held?.width).toBeCloseTo(4 * (missed?.width ?? 0), 0)
  expect(far?.width).toBeCloseTo(1.5 * (held?.width ?? 0), 0)
  expect(held?.color).not.toBe(missed?.color)
  expect(plot).toContain('a &lt; b')
  expect(
    plotCurve(
      [
        { x: 1, y: 0 },
        { x: 2, y: 0 },
      ],
      { x: 'n', unit: '' },
    ),
  ).not.toContain('NaN')
})
