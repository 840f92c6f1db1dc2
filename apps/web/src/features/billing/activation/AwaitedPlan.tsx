import { PLANS } from '@trellis/contract/billing/plans'
import type { ReactNode } from 'react'
import { useAwaitedPlan } from '../billing.queries.ts'
import { findPlan } from '../plans/plan-choice.ts'
import { ActivationSteps } from './ActivationSteps.tsx'

export function AwaitedPlan({ accountCode, action }: { accountCode: string; action: ReactNode }) {
  const work = useAwaitedPlan(accountCode)
  return (
    <ActivationSteps
      work={work}
      told={(plan) => {
        const name = findPlan(plan.account_type)
        return { text: `The account is on the ${name ? PLANS[name].label : 'managed'} plan.`, action }
      }}
    />
  )
}
