import { readPlanSelectState, type PlanSelectState } from '../../../app/plan-select-state.ts'

const KEY = 'trellis.plan-select'

/** The provider's redirect carries only a number: the choice is stored here meanwhile. */
export function storePlanChoice(state: PlanSelectState): void {
  sessionStorage.setItem(KEY, JSON.stringify(state))
}

export function findPlanChoice(): PlanSelectState | null {
  try {
    return readPlanSelectState(JSON.parse(sessionStorage.getItem(KEY) ?? 'null'))
  } catch {
    return null
  }
}
