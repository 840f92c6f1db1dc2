import { expect, test } from 'vitest'
import { listLosses, toPlanOffer } from './plan-offer.ts'

test('each card tells the price and what the plan holds', () => {
  expect(toPlanOffer('basic')).toMatchObject({
    label: 'Basic',
    price: '$950.00',
    per: 'per month',
    features: [
      '5 user seats',
      'One workspace',
      'Unlimited integrations',
      'Provisioned database',
      '50 GB database storage',
      '50 monthly prompt credits per user',
    ],
  })
  expect(toPlanOffer('team')).toMatchObject({
    price: '$3,000.00',
    features: [
      '10 user seats',
      'Unlimited workspaces',
      'Unlimited integrations',
      'Provisioned database',
      '200 GB database storage',
      '500 monthly prompt credits per user',
    ],
  })
  expect(toPlanOffer('enterprise')).toMatchObject({
    price: 'Custom',
    per: undefined,
    features: [
      'Unlimited user seats',
      'Unlimited workspaces',
      'Unlimited integrations',
      'Your own database',
      'Unlimited database storage',
      '1,000 monthly prompt credits per user',
    ],
  })
})

test('a smaller plan loses what it has less of, nothing else', () => {
  expect(listLosses('team', 'basic')).toEqual([
    { lost: '10 user seats', left: '5 user seats' },
    { lost: 'Unlimited workspaces', left: 'One workspace' },
    { lost: '200 GB database storage', left: '50 GB database storage' },
    { lost: '500 monthly prompt credits per user', left: '50 monthly prompt credits per user' },
  ])
  expect(listLosses('enterprise', 'team').map(({ lost }) => lost)).toEqual([
    'Unlimited user seats',
    'Your own database',
    'Unlimited database storage',
    '1,000 monthly prompt credits per user',
  ])
  expect(listLosses('team', 'team')).toEqual([])
})
