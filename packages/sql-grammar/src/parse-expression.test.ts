import { describe, expect, test } from 'vitest'
import { parseExpression } from './parse-expression.ts'

describe('an expression', () => {
  test('is cut at its columns', async () => {
    const text = `sum(orders.total - shop."Odd ""Name""".Refund) filter (where état <> 'Ü.x')`
    expect(await parseExpression(text)).toEqual({
      pieces: [
        'sum(',
        ['orders', 'total'],
        ' - ',
        ['shop', 'Odd "Name"', 'refund'],
        ') filter (where ',
        ['état'],
        " <> 'Ü.x')",
      ],
    })
  })

  test('without columns is one piece', async () => {
    expect(await parseExpression('count(*)')).toEqual({ pieces: ['count(*)'] })
  })

  test.each([
    ['', 'Write one expression'],
    ['sum(a', 'not an SQL expression'],
    ['sum(a), sum(b)', 'Write one expression'],
    ['sum(a) as total', 'Write one expression'],
    ['sum(a) from orders', 'Write one expression'],
    ['sum(a) where true', 'Write one expression'],
    ['sum(a); select 1', 'Write one expression'],
    ['sum(a);', 'Write one expression'],
    ['distinct a', 'Write one expression'],
    ['sum(a) into b', 'Write one expression'],
    ['sum(a) union select 1', 'Write one expression'],
    ['sum(a) -- net', 'Leave out comments'],
    ['sum(a) /* net */', 'Leave out comments'],
    ['(select sum(a) from b)', 'Leave out subqueries'],
    ['sum(a) over ()', 'Leave out window functions'],
    ['sum($1)', 'Leave out parameters'],
    ['count(orders.*)', 'Name single columns'],
  ])('%s is refused', async (text, problem) => {
    expect(await parseExpression(text)).toMatchObject({ problem: expect.stringContaining(problem) })
  })
})
