import { suggestChart } from '@trellis/contract/charts/suggest-chart'
import type { WorksheetChart } from '@trellis/contract/worksheets/charts.endpoints'
import { expect, test } from 'vitest'
import { pickChart } from './pick-chart.ts'
import { getStatementNumber } from './statement-number.ts'

const columns = (...names: string[]) => names.map((name) => ({ name, kind: 'text' as const }))
const chart = (statement: number, column: string, is_shared = false): WorksheetChart => {
  const spec = suggestChart(columns(column), [['a'], ['a']])
  if (!spec) throw new Error('No chart')
  return { statement, spec, is_shared, saved_by: null, saved_at: '' }
}

test('the own chart of the statement comes first, then whichever fits the columns', () => {
  const charts = [chart(0, 'status', true), chart(0, 'status'), chart(1, 'country')]
  expect(pickChart(charts, 0, columns('status'))).toBe(charts[1])
  expect(pickChart(charts, 0, columns('country'))).toBe(charts[2])
  expect(pickChart(charts, 5, columns('status'))).toBe(charts[1])
  expect(pickChart(charts, 1, columns('other'))).toBe(charts[2])
  expect(pickChart(charts, 5, columns('other'))).toBeUndefined()
})

test('statements are counted by their semicolons, not by those in texts and comments', () => {
  const text = "select ';' ; -- ;\n/* ; */ select $x$ ; $x$; select 3"
  expect([0, text.indexOf('select $x$'), text.indexOf('select 3')].map((at) => getStatementNumber(text, at))).toEqual([
    0, 1, 2,
  ])
})
