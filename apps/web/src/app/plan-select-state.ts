import * as z from 'zod/mini'

/** Router state: an account to create, or one to reactivate. */
const State = z.union([
  z.object({ temporaryAccount: z.object({ id: z.int(), name: z.string() }) }),
  z.object({ account: z.object({ trellis_code: z.string(), name: z.string() }) }),
])
export type PlanSelectState = z.infer<typeof State>

/** History state survives reloads, so it may come from an older version of the page. */
export function readPlanSelectState(state: unknown): PlanSelectState | null {
  const parsed = z.safeParse(State, state)
  return parsed.success ? parsed.data : null
}
