import { expect, test } from 'vitest'
import { buildPlanTree } from './plan-tree.ts'

test('points at the step that takes the time, not at those above it', () => {
  const tree = buildPlanTree([
    {
      Plan: {
        'Node Type': 'Aggregate',
        'Plan Rows': 1,
        'Actual Rows': 1,
        'Actual Loops': 1,
        'Actual Total Time': 100,
        Plans: [
          {
            'Node Type': 'Seq Scan',
            'Relation Name': 'orders',
            'Plan Rows': 10,
            'Actual Rows': 30,
            'Actual Loops': 3,
            'Actual Total Time': 30,
            Filter: '(amount > 5)',
          },
        ],
      },
    },
  ])
  expect(tree).toMatchObject({
    title: 'Aggregate',
    isCostly: false,
    children: [{ title: 'Seq Scan on orders', isCostly: true, own: 90 }],
  })
  expect(tree?.children[0]?.facts).toEqual(['90 rows (10 expected)', '90.0 ms', 'Filter: (amount > 5)'])
})

test('without a run it goes by cost, and without a plan there is nothing', () => {
  expect(buildPlanTree([{ Plan: { 'Node Type': 'Result', 'Plan Rows': 1, 'Total Cost': 5 } }])).toMatchObject({
    isCostly: true,
    facts: ['1 rows expected', 'cost 5'],
  })
  expect(buildPlanTree(null)).toBeNull()
})
