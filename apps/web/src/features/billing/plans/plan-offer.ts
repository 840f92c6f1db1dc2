import { PLANS, type PlanName } from '@trellis/contract/billing/plans'
import { roundGigabytes } from '../../../ui/data/gigabytes.ts'
import { formatDollars } from '../../../ui/data/dollars.ts'

export const PLAN_NAMES = ['basic', 'team', 'enterprise'] as const satisfies readonly PlanName[]

const PITCHES: Record<PlanName, string> = {
  basic: 'For one team getting started.',
  team: 'For teams that work in several workspaces.',
  enterprise: 'For organisations that need more room.',
}

export interface PlanOffer {
  plan: PlanName
  label: string
  pitch: string
  price: string
  per: string | undefined
  features: readonly string[]
}

export function toPlanOffer(plan: PlanName): PlanOffer {
  const { label, dollarsPerMonth } = PLANS[plan]
  return {
    plan,
    label,
    pitch: PITCHES[plan],
    price: dollarsPerMonth === null ? 'Custom' : formatDollars(dollarsPerMonth),
    per: dollarsPerMonth === null ? undefined : 'per month',
    features: Object.values(listFeatures(plan)),
  }
}

type Feature = 'seats' | 'workspaces' | 'integrations' | 'database' | 'storage' | 'credits'

function listFeatures(plan: PlanName): Record<Feature, string> {
  const { seats, workspaces, storage, creditsPerUser } = PLANS[plan]
  return {
    seats: seats === null ? 'Unlimited user seats' : `${seats} user seats`,
    workspaces: workspaces === null ? 'Unlimited workspaces' : 'One workspace',
    integrations: 'Unlimited integrations',
    database: plan === 'enterprise' ? 'Your own database' : 'Provisioned database',
    storage: storage === null ? 'Unlimited database storage' : `${roundGigabytes(storage)} database storage`,
    credits: `${creditsPerUser.toLocaleString('en-US')} monthly prompt credits per user`,
  }
}

export interface Loss {
  lost: string
  left: string
}

export function listLosses(from: PlanName, to: PlanName): Loss[] {
  const [before, after] = [listFeatures(from), listFeatures(to)]
  return (Object.keys(before) as Feature[])
    .filter((feature) => before[feature] !== after[feature])
    .map((feature) => ({ lost: before[feature], left: after[feature] }))
}
